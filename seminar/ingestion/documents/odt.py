"""OpenDocument texts (.odt): headings, lists, tables, notes and comments, with changes accepted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.documents import odf
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.packages import parse_entry
from seminar.ingestion.streams.xml_stream import XmlStream
from seminar.text import truncate
from seminar.types import Document

_COLUMNS = 1_000
_LEVELS = 10
_AUTHOR_LIMIT = 80  # characters
_DROPPED = frozenset(
    """
    text:tracked-changes text:table-of-content text:illustration-index text:table-index
    text:object-index text:user-index text:alphabetical-index text:bibliography office:forms
    text:note-citation text:sequence-decls text:variable-decls text:ruby-text dc:date
    meta:date-string
    """.split()
)
_SPACES = frozenset({"text:s", "text:tab"})
_PARAGRAPHS = frozenset({"text:p", "text:h"})
_NOTES = frozenset({"text:note-body", "office:annotation"})
_TITLE_STYLE = "Title"


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of an OpenDocument text."""
    with odf.open_content(path) as archive:
        given = odf.title_of(archive)
        body = _Body(source)
        for _ in parse_entry(archive, odf.CONTENT, body.stream()):
            pass
    title = body.title or given or body.only_main_heading
    yield body.builder.build(source, title or PurePosixPath(source).stem)


class _Body:
    """Adds the paragraphs, tables and notes of a content.xml to a builder as they arrive."""

    def __init__(self, source: str) -> None:
        self.builder = DocumentBuilder()
        self.title = ""
        self._main_headings: list[str] = []
        self._source = source
        self._inline = InlineBuilder()
        self._outer: list[InlineBuilder] = []  # of the paragraph that refers to the open note
        self._note: list[Block] = []
        self._author: list[str] | None = None
        self._name = ""  # of the open note
        self._due: list[tuple[str, Block]] = []  # notes to add after the paragraph
        self._notes = 0
        self._dropped = 0
        self._in_text = False
        self._titles = {_TITLE_STYLE}  # styles of titles
        self._links: list[bool] = []  # whether each anchor that is open began within text
        self._level = 0
        self._is_title = False
        self._items = 0
        self._after_item = False
        self._tables: list[Table] = []
        self._count = 0  # of tables that are not within others
        self._cells = 0
        self._in_head = False
        self._covered = 0  # cells that the one before takes

    @property
    def only_main_heading(self) -> str:
        """The heading of the first level, if there is one only."""
        return self._main_headings[0] if len(self._main_headings) == 1 else ""

    def stream(self) -> XmlStream:
        """A parser whose elements come here."""
        return XmlStream(self._start, self._end, characters=self._add)

    def _add(self, text: str) -> None:
        if self._dropped:
            return
        if self._author is not None:
            self._author.append(text)
        elif self._in_text:
            self._inline.add(text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._dropped or self._is_dropped(tag, attributes):
            self._dropped += 1
        elif tag == "style:style":
            if attributes.get("style:parent-style-name") == _TITLE_STYLE:
                self._titles.add(attributes.get("style:name", ""))
        elif tag in _PARAGRAPHS:
            self._begin_paragraph(tag, attributes)
        elif tag in _NOTES and not self._outer:
            self._begin_note(tag)
        elif tag == "dc:creator" and self._outer:
            self._author = []
        elif tag == "text:list-item":
            self._items += 1
        elif tag.startswith("table:"):
            self._start_table(tag, attributes)
        elif tag == "text:a":
            self._links.append(self._in_text)
            if self._in_text:
                self._inline.open_link(resolve(attributes.get("xlink:href", ""), self._source))
        elif self._in_text:
            self._start_inline(tag)

    def _is_dropped(self, tag: str, attributes: dict[str, str]) -> bool:
        return tag in _DROPPED or (tag == "text:section" and "text:display" in attributes)

    def _start_inline(self, tag: str) -> None:
        if tag in _SPACES:
            self._inline.add(" ")
        elif tag == "text:line-break":
            self._break()

    def _break(self) -> None:
        if self._cells:
            self._inline.add(" ")
        else:
            self._inline.break_line()

    def _begin_paragraph(self, tag: str, attributes: dict[str, str]) -> None:
        if not self._cells:
            self._flush()  # a text box within a paragraph
        self._in_text = True
        self._level = odf.count(attributes, "text:outline-level", _LEVELS) if tag == "text:h" else 0
        self._is_title = attributes.get("text:style-name", "") in self._titles

    def _begin_note(self, tag: str) -> None:
        if tag == "text:note-body":
            self._notes += 1
            self._name = f"footnote {self._notes}"
        else:
            self._name = "comment"
        self._outer = [self._inline]
        self._inline = InlineBuilder()

    def _start_table(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            if not self._cells:
                self._flush()
                self._after_item = False
                self._count += 1
            self._tables.append(Table(self._inline, marked=False))
        elif not self._tables:
            return
        elif tag == "table:table-header-rows":
            self._in_head = True
        elif tag == "table:table-row":
            self._covered = 0
            self._tables[-1].begin_row()
        elif tag == "table:covered-table-cell" and self._covered:
            self._covered -= 1
            self._cells += 1
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            span = odf.count(attributes, "table:number-columns-spanned", _COLUMNS)
            self._covered = span - 1
            self._cells += 1
            self._tables[-1].begin_cell(span=span, heading=self._in_head)

    def _end(self, tag: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif tag in _PARAGRAPHS:
            self._end_paragraph()
        elif tag in _NOTES and self._outer:
            self._end_note()
        elif tag == "dc:creator" and self._author is not None:
            author = truncate(" ".join("".join(self._author).split()), _AUTHOR_LIMIT)
            self._name = f"comment of {author}" if author else self._name
            self._author = None
        elif tag == "text:list-item":
            self._items -= 1
        elif tag == "text:a":
            if self._links.pop():
                self._inline.close_link()
        elif tag.startswith("table:") and self._tables:
            self._end_table(tag)

    def _end_paragraph(self) -> None:
        if self._outer:
            self._end_block_of_note()
        elif self._cells:
            self._inline.add(" ")
        else:
            self._flush()
            self._in_text = False
            self._add_notes()

    def _end_block_of_note(self) -> None:
        block = self._inline.take()
        if block.text:
            self._due.append((self._name, block))

    def _end_note(self) -> None:
        self._end_block_of_note()
        self._inline = self._outer.pop()
        self._in_text = True

    def _end_table(self, tag: str) -> None:
        if tag == "table:table-header-rows":
            self._in_head = False
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            self._cells -= 1
        elif tag == "table:table-row":
            self._tables[-1].end_row()
            if self._cells:  # of a table in a cell
                self._inline.add(" ")
            else:
                row = f"table {self._count}, row {self._tables[-1].rows}"
                self._flush(is_item=True, place=row)
        elif tag == "table:table":
            self._tables.pop()
            if not self._cells:
                self._after_item = self._in_text = False
                self._add_notes()

    def _flush(self, *, is_item: bool = False, place: str = "") -> None:
        """End the current block, if it has text."""
        block = self._inline.take()
        if not block.text:
            return
        is_item = is_item or bool(self._items)
        if self._is_title and self.builder.is_empty:
            self.title = " ".join(block.text.split())
            self._level = 1
        if self._level:
            self.builder.add_heading(self._level, block, place=place)
        else:
            separator = "\n" if is_item and self._after_item else "\n\n"
            self.builder.add_block(block, separator, place=place)
        if self._level == 1:
            self._main_headings.append(block.text)
        self._after_item = is_item and not self._level
        self._level = 0
        self._is_title = False

    def _add_notes(self) -> None:
        due, self._due = self._due, []
        for name, block in due:
            self.builder.add_block(block, place=name)
            self._after_item = False
