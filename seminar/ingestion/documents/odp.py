"""OpenDocument presentations (.odp): slides with their titles, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.documents import odf
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.packages import parse_entry
from seminar.ingestion.streams.xml_stream import XmlStream
from seminar.types import Document

_COLUMNS = 1_000
_FRAMES = frozenset({"draw:frame", "draw:custom-shape", "table:table"})
_CELLS = frozenset({"table:table-cell", "table:covered-table-cell"})
_SPACES = frozenset({"text:s", "text:tab", "text:line-break"})
# The parts of a slide that repeat on all of them, and what is no text of the slide.
_FURNITURE = frozenset({"date-time", "footer", "header", "page-number", "page"})
_DROPPED = frozenset(
    "office:annotation office:forms text:ruby-text svg:title svg:desc draw:object".split()
)


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a presentation: a page for each slide, and its notes after it."""
    with odf.open_content(path) as archive:
        given = odf.title_of(archive)
        slides = _Slides(source)
        for _ in parse_entry(archive, odf.CONTENT, slides.stream()):
            pass
    title = given or slides.first_title or PurePosixPath(source).stem
    yield slides.builder.build(source, title)


class _Slides:
    """Adds the slides of a content.xml to a builder as they arrive."""

    def __init__(self, source: str) -> None:
        self.builder = DocumentBuilder()
        self.first_title = ""
        self._source = source
        self._inline = InlineBuilder()
        self._slide = 0
        self._place = ""
        self._dropped = 0
        self._frames: list[str] = []  # the classes of the frames that are open
        self._is_text = False
        self._begins = True  # the next block is the first of its frame
        self._tables: list[Table] = []
        self._has_head = False  # the first row of the open table is marked as its heading
        self._covered = 0  # cells that the one before takes

    def stream(self) -> XmlStream:
        """A parser whose elements come here."""
        return XmlStream(self._start, self._end, characters=self._add)

    def _add(self, text: str) -> None:
        if self._is_text and not self._dropped:
            self._inline.add(text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("presentation:class", "")
        if self._dropped or tag in _DROPPED or kind in _FURNITURE:
            self._dropped += 1
        elif tag == "draw:page":
            self._slide += 1
            self._place = f"slide {self._slide}"
            self.builder.begin_page(self._slide)
        elif tag == "presentation:notes":
            self._place = f"slide {self._slide}, notes"
        elif tag in ("text:p", "text:h"):
            self._is_text = self._slide > 0
        elif tag == "text:a":
            self._inline.open_link(resolve(attributes.get("xlink:href", ""), self._source))
        elif tag in _SPACES:
            self._inline.add(" ")
        else:
            self._start_shape(tag, kind, attributes)

    def _start_shape(self, tag: str, kind: str, attributes: dict[str, str]) -> None:
        if tag in _FRAMES:
            self._frames.append(kind)
            self._begins = True
        if tag == "table:table":
            self._has_head = attributes.get("table:use-first-row-styles") == "true"
            self._tables.append(Table(self._inline, marked=False))
        elif tag == "table:table-row" and self._tables:
            self._covered = 0
            self._tables[-1].begin_row()
        elif tag in _CELLS and self._tables:
            self._begin_cell(tag, attributes)

    def _begin_cell(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:covered-table-cell" and self._covered:
            self._covered -= 1
            return
        table = self._tables[-1]
        span = odf.count(attributes, "table:number-columns-spanned", _COLUMNS)
        self._covered = span - 1
        table.begin_cell(span=span, heading=self._has_head and table.rows == 1)

    def _end(self, tag: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif tag in ("text:p", "text:h"):
            self._is_text = False
            if self._tables:
                self._inline.add(" ")
            else:
                self._end_block()
        elif tag == "text:a":
            self._inline.close_link()
        elif tag == "table:table-row" and self._tables:
            self._tables[-1].end_row()
            self._end_block()
        elif tag in _FRAMES and self._frames:
            self._frames.pop()
            if tag == "table:table":
                self._tables.pop()

    def _end_block(self) -> None:
        """End a paragraph, point or row; those of one frame stand together."""
        block = self._inline.take()
        if not block.text:
            return
        if self._frames and self._frames[-1] == "title":
            self.builder.add_heading(1, block, place=self._place)
            self.first_title = self.first_title or " ".join(block.text.split())
        else:
            separator = "\n\n" if self._begins else "\n"
            self.builder.add_block(block, separator, place=self._place)
            self._begins = False
