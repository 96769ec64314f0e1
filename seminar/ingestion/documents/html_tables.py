"""Tables of HTML without heading cells: whether their first row names the columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from selectolax.lexbor import LexborNode

from seminar.ingestion.documents.tables import COLUMN_LIMIT, are_names

ROW_LIMIT = 20  # rows that are looked at
CELL_LIMIT = 200  # characters of a cell that holds a value and no part of a page
_PARTS = frozenset({"tbody", "thead", "tfoot"})
_IN_CELLS = frozenset("a abbr b br code div em font i p s small span strong sub sup u".split())
_LOOKS = ("class", "style", "bgcolor")  # attributes that set a row of headings apart
_FEWEST_COLUMNS = 3  # that are taken for a table though their headings look like values
_FEWEST_ROWS = 2

_Look = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    look: _Look


def names_columns(table: LexborNode) -> bool:
    """Whether a table holds values, and its first row, without `<th>`, the names of their columns.

    The row looks different from those below it, or has three cells or more: of two cells that
    look like those below them, the first may name the second.
    """
    rows = list(map(_cells, islice(_rows(table), ROW_LIMIT)))
    if len(rows) < _FEWEST_ROWS:
        return False
    first, *others = rows
    if any(len(row) != len(first) for row in others):
        return False
    texts = [cell.text for cell in first]
    if not are_names(texts) or any(text.endswith(":") for text in texts):
        return False
    return len(first) >= _FEWEST_COLUMNS or all(
        name.look != cell.look for row in others for name, cell in zip(first, row, strict=True)
    )


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for node in _children(table):
        if node.tag == "tr":
            yield node
        elif node.tag in _PARTS:
            yield from (row for row in _children(node) if row.tag == "tr")


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _cells(row: LexborNode) -> list[_Cell]:
    """The cells of a row; none of one that is no list of values."""
    cells: list[_Cell] = []
    for node in _children(row):
        if node.tag not in ("td", "th"):
            continue
        cell = _value(node, _look(row)) if node.tag == "td" else None
        if cell is None or len(cells) == COLUMN_LIMIT:
            return []
        cells.append(cell)
    return cells


def _value(cell: LexborNode, look: _Look) -> _Cell | None:
    """The text of a cell and how it looks; None of a cell with more than a value.

    The class and style of a cell itself are about its borders as often as about its text.
    """
    parts: list[str] = []
    looks = [*look, cell.attributes.get("bgcolor")]
    length = 0
    node = cell.first_child
    while node is not None:
        if node.tag == "-text":
            parts.append(node.text_content or "")
            length += len(parts[-1])
        elif node.tag in _IN_CELLS:
            looks += (node.tag, *_look(node))
        else:
            return None
        if length > CELL_LIMIT or len(looks) > CELL_LIMIT:
            return None
        node = node.first_child or _following(node, cell)
    return _Cell(" ".join("".join(parts).split()), tuple(looks))


def _following(node: LexborNode, root: LexborNode) -> LexborNode | None:
    here: LexborNode | None = node
    while here is not None and here.mem_id != root.mem_id:
        if (following := here.next) is not None:
            return following
        here = here.parent
    return None


def _look(node: LexborNode) -> _Look:
    attributes = node.attributes
    return tuple(attributes.get(name) for name in _LOOKS)
