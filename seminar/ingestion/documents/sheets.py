"""Rows of sheets as documents of a bounded size, each row with the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block
from seminar.ingestion.documents.tables import Columns
from seminar.text import truncate
from seminar.types import Document, LineMark

_WORD = re.compile(r"[^\W\d]\w*")
ROW_LIMIT = 2_000  # rows of a document; the rows after them are one of their own
LENGTH_LIMIT = 1_000_000  # characters of a document
NAME_LIMIT = 100  # characters of a sheet's name, which the place of every row repeats


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a sheet: its number, its filled cells, and how many equal rows it stands for.

    `line` is its line in the file, of a file that has lines.
    """

    number: int
    cells: Mapping[int, str]  # by their columns, from 0, in order
    count: int = 1
    line: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet, whose rows are read while they are asked for; without a name, a file's only one."""

    name: str
    rows: Iterable[Row]


@dataclass(slots=True)
class _Part:
    """The document that is being filled."""

    source: str
    builder: DocumentBuilder = field(default_factory=DocumentBuilder)
    rows: int = 0

    def is_full(self) -> bool:
        return self.rows >= ROW_LIMIT or self.builder.length >= LENGTH_LIMIT


def documents(sheets: Iterable[Sheet], source: str, title: str = "") -> Iterator[Document]:
    """The rows of all sheets; a document after the first is cited as `file#Sheet!row`."""
    title = title or PurePosixPath(source).stem
    part = _Part(source)
    for sheet in sheets:
        name = truncate(" ".join(sheet.name.split()), NAME_LIMIT)
        columns = Columns()
        begins = True
        for row in sheet.rows:
            block = columns.describe(row.cells)
            if block is None:
                continue
            if part.is_full():
                yield _build(part, source, title)
                part = _Part(f"{source}#{_place(name, str(row.number))}")
                begins = True
            if begins and name:
                part.builder.add_heading(1, Block(name))
            _add(part, name, row, block, separator="\n\n" if begins else "\n")
            begins = False
    if part.rows:
        yield _build(part, source, title)
    elif part.source == source:
        raise IngestionError("empty: it holds no text")


def _build(part: _Part, file: str, title: str) -> Document:
    return replace(part.builder.build(part.source, title), scope=file)


def _add(part: _Part, sheet: str, row: Row, block: Block, *, separator: str) -> None:
    if row.line:
        block = replace(block, lines=(LineMark(0, row.line),))
    place = "" if row.line else _place(sheet, cell_range(row))
    part.builder.add_block(block, separator, place=place)
    part.rows += 1


def _place(sheet: str, cells: str) -> str:
    """Cells as spreadsheets refer to them, with quotes around a name that is no single word."""
    if sheet and not _WORD.fullmatch(sheet):
        sheet = "'" + sheet.replace("'", "''") + "'"
    return f"{sheet}!{cells}" if sheet else cells


def cell_range(row: Row) -> str:
    """The range of the filled cells of a row.

    >>> cell_range(Row(7, {1: "Child", 3: "4"})), cell_range(Row(2, {0: "Adult"}, count=3))
    ('B7:D7', 'A2:A4')
    """
    filled = list(row.cells)
    first = f"{letters(filled[0])}{row.number}"
    last = f"{letters(filled[-1])}{row.number + row.count - 1}"
    return first if first == last else f"{first}:{last}"


def letters(column: int) -> str:
    """The letters of a column, counted from 0.

    >>> letters(0), letters(25), letters(26), letters(16_383)
    ('A', 'Z', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name
