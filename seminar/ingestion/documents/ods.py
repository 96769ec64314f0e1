"""OpenDocument spreadsheets (.ods): rows with the names of their columns, cited by cells."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.documents import odf, sheets
from seminar.ingestion.documents.sheets import Row, Sheet
from seminar.ingestion.streams.decoding import LINE_LIMIT, Notify, clean
from seminar.ingestion.streams.packages import parse_entry
from seminar.ingestion.streams.xml_stream import XmlStream
from seminar.types import Document

_ROWS = 1_048_576
_COLUMNS = 16_384
_EQUAL_CELLS = 1_000  # in a row, that one element may stand for
_CELLS = frozenset({"table:table-cell", "table:covered-table-cell"})
_ASIDE = frozenset({"office:annotation", "table:shapes"})  # comments and drawings
_SPACES = frozenset({"text:s", "text:tab", "text:line-break"})


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The rows of all visible sheets, as they were shown when the file was saved."""
    with odf.open_content(path) as archive:
        title = odf.title_of(archive)
        yield from sheets.documents(_sheets(archive, notify), source, title)


def _sheets(archive: zipfile.ZipFile, notify: Notify) -> Iterator[Sheet]:
    for (_, name), group in groupby(_rows(archive, notify), key=lambda row: row[:2]):
        yield Sheet(name, (row for _, _, row in group))


def _rows(archive: zipfile.ZipFile, notify: Notify) -> Iterator[tuple[int, str, Row]]:
    """The number and the name of a sheet with each of its rows."""
    content = _Content(notify)
    for _ in parse_entry(archive, odf.CONTENT, content.stream()):
        ready, content.ready = content.ready, []
        yield from ready
    yield from content.ready


class _Content:
    """Collects the rows of a content.xml as its elements arrive."""

    def __init__(self, notify: Notify) -> None:
        self.ready: list[tuple[int, str, Row]] = []
        self._notify = notify
        self._hidden: set[str] = set()  # styles of sheets that are not shown
        self._style = ""
        self._sheet = 0
        self._name = ""
        self._depth = 0  # of tables: a cell may hold one
        self._is_shown = True
        self._row = 0
        self._row_count = 1
        self._column = 0
        self._columns = 1  # that the cell which is open takes
        self._cells: dict[int, str] = {}
        self._text: list[str] | None = None
        self._length = 0
        self._aside = 0

    def stream(self) -> XmlStream:
        """A parser whose elements come here."""
        return XmlStream(self._start, self._end, characters=self._add)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _ASIDE or self._aside:
            self._aside += 1
        elif tag == "style:style":
            self._style = attributes.get("style:name", "")
        elif tag == "style:table-properties":
            if attributes.get("table:display") == "false":
                self._hidden.add(self._style)
        elif tag == "table:table":
            self._begin_table(attributes)
        elif tag == "table:table-row" and self._depth == 1:
            self._row_count = odf.count(attributes, "table:number-rows-repeated", _ROWS)
            self._cells, self._column = {}, 0
        elif tag in _CELLS and self._depth == 1:
            self._columns = odf.count(attributes, "table:number-columns-repeated", _COLUMNS)
            self._text, self._length = [], 0
        elif tag in _SPACES or tag == "text:p":
            self._add(" ")

    def _begin_table(self, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        self._sheet += 1
        self._row = 0
        self._name = clean(attributes.get("table:name", ""))
        self._is_shown = attributes.get("table:style-name", "") not in self._hidden
        if not self._is_shown:
            self._notify(f"the hidden sheet {self._name!a} was left out")

    def _add(self, text: str) -> None:
        if self._text is None or self._aside:
            return
        self._text.append(text)
        self._length += len(text)
        if self._length > LINE_LIMIT:
            raise IngestionError(f"a cell is longer than {LINE_LIMIT:,} characters")

    def _end(self, tag: str) -> None:
        if self._aside:
            self._aside -= 1
        elif tag == "table:table":
            self._depth -= 1
        elif tag in _CELLS and self._depth == 1:
            self._end_cell()
        elif tag == "table:table-row" and self._depth == 1:
            if self._cells and self._is_shown and self._row < _ROWS:
                row = Row(self._row + 1, self._cells, self._row_count)
                self.ready.append((self._sheet, self._name, row))
            elif self._is_shown:
                self.ready.append((self._sheet, self._name, Row(self._row + 1, {})))
            self._row += self._row_count

    def _end_cell(self) -> None:
        text = " ".join(clean("".join(self._text or [])).split())
        self._text = None
        if text and self._column < _COLUMNS:
            last = self._column + min(self._columns, _EQUAL_CELLS)
            self._cells.update((column, text) for column in range(self._column, last))
        self._column += self._columns
