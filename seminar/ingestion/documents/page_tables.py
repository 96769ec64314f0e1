"""Tables on pages of PDF files: lines whose words leave the same stretches free.

PDF files have no cells. Lines that follow each other are a table if stretches between their words
are free in all of them, wider than the spaces of a sentence: those divide its columns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.documents.tables import Table, are_names

LONGEST_ROW = 300  # characters
_FEWEST_ROWS = 3
_TRIES = 3  # to begin a table before lines that go on in the same columns
_FEWEST_COLUMNS = 3  # whose names may look like the values below them
_LONGEST_CELLS = 60  # characters, on average: longer ones are text in columns
# Widths of what divides columns, in font sizes; a space between words is a quarter to a half.
_NARROWEST = 0.25  # in all rows together
_NARROW_ABOVE = 0.4  # in the first row, which may be a line of text
_WIDE = 0.75  # in one row at least
_ON_AVERAGE = 0.6
_HIGHEST = 3.0  # font sizes from one row to the next
_RESIZED = 0.3  # by how much the font size may differ between them

_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"\w")  # of bullets in front of a list's items there is none
_LEADERS = re.compile(r"(?:\. ?){4}")

_Stretch = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Row:
    """The words of a line from left to right, its place, and the font of its beginning."""

    words: tuple[Word, ...]
    page: int
    baseline: float
    size: float
    font: str


@dataclass(frozen=True, slots=True)
class Run:
    """Lines that follow each other, which are a table or none."""

    start: int
    end: int
    is_table: bool


def divide(rows: Sequence[Row]) -> Iterator[Run]:
    """The tables among lines, and the lines between them."""
    free = start = 0
    tries: Counter[int] = Counter()  # to find a table that ends at a line
    while start < len(rows):
        end, is_table = _find_table(rows, start)
        tries[end] += 1
        if not is_table:
            start = max(start + 1, end - 1) if tries[end] >= _TRIES else start + 1
            continue
        if free < start:
            yield Run(free, start, is_table=False)
        yield Run(start, end, is_table=True)
        free = start = end
    if free < len(rows):
        yield Run(free, len(rows), is_table=False)


def describe(rows: Sequence[Row]) -> list[Block]:
    """The rows of a table, with the names of their columns where its first row gives them."""
    gutters = _gutters(rows)
    cells = [_cells(row, gutters) for row in rows]
    named = _names_columns(rows, cells)
    inline = InlineBuilder()
    table = Table(inline, marked=True)
    blocks = []
    for number, texts in enumerate(cells):
        table.begin_row()
        for text in texts:
            table.begin_cell(heading=named and number == 0)
            inline.add(text)
        table.end_row()
        blocks.append(inline.take())
    return blocks


def _find_table(rows: Sequence[Row], start: int) -> tuple[int, bool]:
    """Where the lines end that have the columns of this one, and whether they are a table.

    A line above a table may leave some of its columns apart by chance: a table that begins with
    the next line and has more columns comes first.
    """
    end, gutters = _extend(rows, start)
    is_table = _is_table(rows[start:end], gutters)
    return end, is_table and len(_extend(rows, start + 1)[1]) <= len(gutters)


def _extend(rows: Sequence[Row], start: int) -> tuple[int, list[_Stretch]]:
    """The end of the lines that have the columns of the first two, and what divides them."""
    if start + 1 >= len(rows):
        return start + 1, []
    gutters = _gutters(rows[start : start + 2])
    end = start + 1
    while end < len(rows) and _follows(rows[end - 1], rows[end]):
        left = _common(gutters, rows[end])
        if len(left) < len(gutters) or not _is_divided(rows[end], left):
            break
        gutters = left
        end += 1
    return end, gutters


def _follows(before: Row, row: Row) -> bool:
    """Whether a line stands below another like the next row of a table."""
    return (
        row.page == before.page
        and 0 < before.baseline - row.baseline <= _HIGHEST * row.size
        and abs(row.size - before.size) <= _RESIZED * before.size
    )


def _gutters(rows: Sequence[Row]) -> list[_Stretch]:
    """The stretches that all rows leave free, and which one of them makes wide."""
    free = [
        (before.right, word.left)
        for before, word in pairwise(rows[0].words)
        if word.left - before.right >= _NARROW_ABOVE * rows[0].size
    ]
    for row in rows:
        free = _common(free, row)
    wide = [
        (before.right, word.left)
        for row in rows
        for before, word in pairwise(row.words)
        if word.left - before.right >= _WIDE * row.size
    ]
    return [
        (start, end)
        for start, end in free
        if any(left <= start and end <= right for left, right in wide)
    ]


def _common(gutters: Sequence[_Stretch], row: Row) -> list[_Stretch]:
    """What a line leaves of the stretches that are free in the lines above it."""
    left = []
    for start, end in gutters:
        for word in row.words:
            if word.left < end and word.right > start:
                if word.left - start > end - word.right:
                    end = word.left
                else:
                    start = word.right
        if end - start >= _NARROWEST * row.size:
            left.append((start, end))
    return left


def _is_divided(row: Row, gutters: Sequence[_Stretch]) -> bool:
    """Whether a line has words on both sides of a free stretch."""
    return len({_column(word, gutters) for word in row.words}) > 1


def _is_table(rows: Sequence[Row], gutters: Sequence[_Stretch]) -> bool:
    if len(rows) < _FEWEST_ROWS:
        return False
    gaps = [
        (word.left - before.right) / row.size
        for row in rows
        for before, word in pairwise(row.words)
        if _column(before, gutters) != _column(word, gutters)
    ]
    cells = [_cells(row, gutters) for row in rows]
    if not any(_LETTER.search(texts[0]) for texts in cells) or _has_leaders(cells):
        return False
    return (
        mean(gaps) >= _ON_AVERAGE
        and mean(len(text) for texts in cells for text in texts) <= _LONGEST_CELLS
        and all(sum(map(bool, column)) > 1 for column in zip(*cells, strict=True))
    )


def _has_leaders(cells: Sequence[Sequence[str]]) -> bool:
    """Whether dots lead to page numbers: it is a list of contents."""
    return any(_LEADERS.search(text) for texts in cells for text in texts)


def _column(word: Word, gutters: Sequence[_Stretch]) -> int:
    return sum(end <= word.left for _, end in gutters)


def _cells(row: Row, gutters: Sequence[_Stretch]) -> list[str]:
    """The text of each column of a row."""
    cells: list[list[str]] = [[] for _ in range(len(gutters) + 1)]
    for word in row.words:
        cells[_column(word, gutters)].append(word.text)
    return [" ".join(words) for words in cells]


def _names_columns(rows: Sequence[Row], cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has the names: texts in a font of their own, or one above numbers."""
    names, *others = cells
    if not are_names(names) or any(name.endswith(":") for name in names):
        return False
    if all(row.font != rows[0].font for row in rows[1:]):
        return True
    return len(names) >= _FEWEST_COLUMNS and any(
        _DIGIT.search(name) is None and all(map(_DIGIT.search, values))
        for name, *values in zip(names, *others, strict=True)
    )
