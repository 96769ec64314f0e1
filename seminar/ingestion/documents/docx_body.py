"""The body of a Word document: its elements in reading order, without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.docx_notes import Note
from seminar.ingestion.documents.docx_styles import Style, Styles, W
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table

if TYPE_CHECKING:
    from lxml.etree import _Element

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# Deleted or moved text, formulas of fields, and properties, which hold no text to read.
_DROPPED = frozenset(
    {W + tag for tag in "del moveFrom delText instrText pPr rPr tblPr tblGrid tcPr sectPr".split()}
    | {_FALLBACK}
)
_SPACES = {f"{W}tab": " ", f"{W}noBreakHyphen": "-", f"{W}softHyphen": ""}
_BREAKS = frozenset({f"{W}br", f"{W}cr"})
_OFF = ("0", "false", "off")


class Body:
    """Adds the paragraphs, tables and notes of a document to a builder."""

    def __init__(
        self,
        builder: DocumentBuilder,
        source: str,
        styles: Styles,
        targets: Mapping[str, str],
        notes: Mapping[tuple[str, str], Note],
    ) -> None:
        self.title = ""
        self._main_headings: list[str] = []
        self._builder = builder
        self._source = source
        self._styles = styles
        self._targets = targets
        self._notes = notes
        self._inline = InlineBuilder()
        self._tables: list[Table] = []
        self._count = 0  # of tables that are not within others
        self._cells = 0  # table cells that are open
        self._due: list[Note] = []  # notes to add after the paragraph or table that refers to them
        self._place = ""
        self._after_item = False

    @property
    def only_main_heading(self) -> str:
        """The heading of the first level, if there is one only."""
        return self._main_headings[0] if len(self._main_headings) == 1 else ""

    def read(self, root: _Element) -> None:
        """Add all text under an element, and the notes that it refers to."""
        self._read(root)
        self._add_notes()

    def _read(self, root: _Element) -> None:
        for element, begins in _walk(root):
            if begins:
                self._enter(element)
            else:
                self._leave(element)

    def _enter(self, element: _Element) -> None:
        tag = element.tag
        if tag == f"{W}t" or tag == _MATH_TEXT:
            self._inline.add(element.text or "")
        elif tag in _SPACES:
            self._inline.add(_SPACES[tag])
        elif tag in _BREAKS:
            self._break()
        elif tag == f"{W}hyperlink":
            target = self._targets.get(element.get(f"{_R}id", ""), "")
            self._inline.open_link(resolve(target, self._source))
        elif tag == f"{W}tbl":
            self._begin_table()
        elif tag == f"{W}tr" and self._tables:
            self._tables[-1].begin_row()
        elif tag == f"{W}tc" and self._tables:
            self._begin_cell(element)
        elif note := self._notes.get((tag, element.get(f"{W}id", ""))):
            self._due.append(note)

    def _begin_table(self) -> None:
        if not self._cells:
            self._flush(Style())
            self._after_item = False
            self._count += 1
        self._tables.append(Table(self._inline, marked=False))

    def _break(self) -> None:
        if self._cells:
            self._inline.add(" ")
        else:
            self._inline.break_line()

    def _begin_cell(self, cell: _Element) -> None:
        self._cells += 1
        span = cell.find(f"{W}tcPr/{W}gridSpan")
        columns = span.get(f"{W}val", "") if span is not None else ""
        is_count = columns.isascii() and columns.isdigit() and len(columns) < 5
        row = cell.getparent()
        heading = row is not None and row.find(f"{W}trPr/{W}tblHeader") is not None
        self._tables[-1].begin_cell(span=int(columns) if is_count else 1, heading=heading)

    def _leave(self, element: _Element) -> None:
        tag = element.tag
        if tag == f"{W}hyperlink":
            self._inline.close_link()
        elif tag == f"{W}p":
            self._end_paragraph(element)
        elif tag == f"{W}tc" and self._cells:
            self._cells -= 1
        elif tag == f"{W}tr" and self._tables:
            self._tables[-1].end_row()
            if self._cells:  # of a table in a cell
                self._inline.add(" ")
            else:
                row = f"table {self._count}, row {self._tables[-1].rows}"
                self._flush(Style(is_item=True), row)
        elif tag == f"{W}tbl":
            self._tables.pop()
            if not self._cells:
                self._after_item = False
                self._add_notes()

    def _end_paragraph(self, paragraph: _Element) -> None:
        if self._cells:
            self._inline.add(" ")
        elif paragraph.find(f"{W}pPr/{W}rPr/{W}del") is None:  # else it goes on in the next one
            self._flush(self._styles.of_paragraph(paragraph))
            self._add_notes()

    def _flush(self, style: Style, row: str = "") -> None:
        """End the current block, if it has text; `row` is the place of a table's row."""
        block = self._inline.take()
        place = self._place or row
        if not block.text or style.is_contents:
            return
        if style.is_title and not self.title and self._builder.is_empty:
            self.title = " ".join(block.text.split())
        if style.level or (style.is_title and self.title):
            self._builder.add_heading(style.level or 1, block, place=place)
        else:
            tight = style.is_item and self._after_item
            self._builder.add_block(block, "\n" if tight else "\n\n", place=place)
        if style.level == 1:
            self._main_headings.append(block.text)
        self._after_item = style.is_item and not style.level

    def _add_notes(self) -> None:
        """Add the notes that are due, each with its place; notes refer to no further ones."""
        if self._place:
            return
        due, self._due = self._due, []
        for note in due:
            self._place = note.place
            self._after_item = False
            self._read(note.element)
            self._place = ""
            self._after_item = False
        self._due = []


def _walk(root: _Element) -> Iterator[tuple[_Element, bool]]:
    """The elements under a root where they begin and where they end, without dropped ones."""
    pending = [(child, True) for child in reversed(root)]
    while pending:
        element, begins = pending.pop()
        if begins and (not isinstance(element.tag, str) or _is_dropped(element)):
            continue
        yield element, begins
        if begins:
            pending.append((element, False))
            pending += [(child, True) for child in reversed(element)]


def _is_dropped(element: _Element) -> bool:
    """Whether an element shows no text: deleted, hidden, or a property."""
    if element.tag == f"{W}r":
        hidden = element.find(f"{W}rPr/{W}vanish")
        return hidden is not None and hidden.get(f"{W}val", "1") not in _OFF
    if element.tag == f"{W}tr":
        return element.find(f"{W}trPr/{W}del") is not None
    return element.tag in _DROPPED
