"""Rows of tables as text: the values of a row get the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.text import truncate

NAME_LIMIT = 80  # characters of a column's name, which every row repeats
SPAN_LIMIT = 20  # columns that one cell names, or takes in the rows below
COLUMN_LIMIT = 100  # columns that have names; bounds the work for a row of few characters
_NUMBER = re.compile(r"[^\w]*[\d][\d\s.,:/%’'-]*\W*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MARKS = " | "  # between cells of rows whose columns have no names


@dataclass(frozen=True, slots=True)
class _Cell:
    column: int
    span: int
    start: int  # in the text of the row
    heading: bool


class Table:
    """The rows of a table as they are read into a block each: `Ticket: Child; Price: 4 pounds`.

    The first row names the columns if it is marked as their heading. Of formats that mark none
    (`marked=False`), it does so if its cells look like names.
    """

    def __init__(self, inline: InlineBuilder, *, marked: bool) -> None:
        self._inline = inline
        self._marked = marked
        self._names: dict[int, str] = {}
        self._cells: list[_Cell] = []
        self._column = 0
        self._taken: dict[int, int] = {}  # rows for which a column is taken by a cell above
        self.rows = 0  # so far, the one that is open included
        self._headings = 0  # heading rows in a row

    @property
    def is_in_value(self) -> bool:
        """Whether the cell that is open is a heading or a value below one, no part of a layout."""
        return bool(self._cells) and (bool(self._names) or self._cells[-1].heading)

    def begin_row(self) -> None:
        """Begin a row."""
        self._cells = []
        self._column = 0
        self.rows += 1

    def begin_cell(self, *, span: int = 1, rows: int = 1, heading: bool = False) -> None:
        """Begin a cell that takes `span` columns and, from this row on, `rows` rows."""
        while self._taken.get(self._column, -1) >= self.rows:
            self._column += 1
        name = self._names.get(self._column, "")
        separator = "; " if self._names else _MARKS
        self._inline.begin_cell(separator, f"{name}: " if name else "")
        self._cells.append(_Cell(self._column, span, self._inline.length, heading))
        if rows > 1:
            last = self.rows + min(rows, 1_000_000) - 1
            self._taken.update((column, last) for column in _bounded(self._column, span))
        self._column += span

    def end_row(self) -> None:
        """End a row: if it is a heading, it names the columns of the rows below it."""
        self._inline.end_cell()
        if not self._is_heading():
            self._headings = 0
            return
        continued = self._headings == 1  # a second heading row divides the columns of the first
        self._headings += 1
        names = dict(self._names) if continued else {}
        for cell, text in zip(self._cells, self._texts(), strict=True):
            for column in _bounded(cell.column, cell.span):
                above = names.get(column, "")
                text = text.removeprefix(f"{above}: ")
                both = f"{above} {text}" if above and text and above != text else above or text
                names[column] = column_name(both)
        self._names = {column: name for column, name in names.items() if name}

    def _is_heading(self) -> bool:
        if len(self._cells) < 2:
            return False
        if self._marked:
            return all(cell.heading for cell in self._cells)
        if any(cell.heading for cell in self._cells):
            return True
        return self.rows == 1 and are_names(self._texts())

    def _texts(self) -> list[str]:
        ends = [*(cell.start for cell in self._cells[1:]), self._inline.length]
        first = self._cells[0].start
        row = self._inline.since(first)
        pieces = [
            row[cell.start - first : end - first]
            for cell, end in zip(self._cells, ends, strict=True)
        ]
        return [piece.removeprefix(_MARKS).removeprefix("; ").strip() for piece in pieces]


def _bounded(column: int, span: int) -> range:
    """The columns that a cell takes, as far as they are looked at."""
    return range(column, min(column + min(span, SPAN_LIMIT), COLUMN_LIMIT))


class Columns:
    """The columns of a sheet without marked headings, whose rows are their filled cells."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._after_gap = True

    def describe(self, filled: Mapping[int, str]) -> Block | None:
        """A row as a block, None if it is empty; a row that looks like names gives the names.

        After an empty row, such a row begins another table if it takes other columns.
        """
        if not filled:
            self._after_gap = True
            return None
        new = self._after_gap and filled.keys() != self._names.keys()
        if (new or not self._names) and are_names(list(filled.values())):
            self._names = {column: column_name(text) for column, text in filled.items()}
            self._after_gap = False
            return Block(_MARKS.join(filled.values()))
        self._after_gap = False
        if not self._names:
            return Block(_MARKS.join(filled.values()))
        return Block("; ".join(self._labelled(column, text) for column, text in filled.items()))

    def _labelled(self, column: int, text: str) -> str:
        name = self._names.get(column)
        return f"{name}: {text}" if name else text


def are_names(texts: Sequence[str]) -> bool:
    """Whether the cells of a row can be the names of columns: several short texts, no numbers.

    Years in their order are names beside a text, as in a table with a column for each year.

    >>> are_names(["Ticket", "Price"]), are_names(["Child", "4.50"]), are_names(["Fares of 2024"])
    (True, False, False)
    >>> are_names(["Ticket", "2024", "2025"]), are_names(["Founded", "1987"])
    (True, False)
    """
    filled = [text for text in texts if text]
    numbers = [text for text in filled if _NUMBER.fullmatch(text)]
    return (
        len(filled) > max(1, len(numbers))
        and len(set(filled)) == len(filled)
        and all(len(text) <= NAME_LIMIT for text in filled)
        and (not numbers or _are_years(numbers))
    )


def _are_years(texts: Sequence[str]) -> bool:
    ordered = sorted(texts) in (list(texts), list(reversed(texts)))
    return len(texts) > 1 and ordered and all(map(_YEAR.fullmatch, texts))


def column_name(text: str) -> str:
    """The text of a heading cell as it stands before each value: on one line, without a colon."""
    return truncate(" ".join(text.split()), NAME_LIMIT).rstrip(" :")
