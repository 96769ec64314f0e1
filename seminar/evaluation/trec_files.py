"""TREC's judgements and runs, as columns of text or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from seminar.datasets.files import read_lines
from seminar.errors import ScoringError
from seminar.evaluation.files import read_any
from seminar.evaluation.formats import MisshapenError, is_number, is_scores
from seminar.metrics.strictness import name_some

Numbers = dict[str, dict[str, float]]  # by query, then by document
EXPECTED = "finite numbers by document"


def _finite(text: str) -> float:
    if not is_number(value := float(text)):
        raise ValueError(text)
    return value


@dataclass(frozen=True, slots=True)
class Columns:
    """The number of columns, those of query, document and number, and the number's type."""

    count: int
    places: tuple[int, int, int]
    number: Callable[[str], float]


JUDGEMENTS = Columns(4, (0, 2, 3), int)
RUN = Columns(6, (0, 2, 4), _finite)


def read_judgements(path: Path) -> Numbers:
    """Judgements, 'query 0 document grade' a line, or {query: {document: grade}}."""
    return _read(path, JUDGEMENTS)


def read_run(path: Path) -> Numbers:
    """A run, 'query Q0 document rank score name' a line, or {query: {document: score}}."""
    return _read(path, RUN)


def _read(path: Path, columns: Columns) -> Numbers:
    table: Numbers = {}
    for at, line in read_lines(path):
        row = line.split()
        if row and row[0].startswith("{"):
            return _read_json(path)
        if row:
            query, document, value = _row(row, columns, f"{path.name}:{at}")
            if document in table.setdefault(query, {}):
                problem = f"'{document}' comes twice for '{query}': keep one line of it"
                raise ScoringError(f"{path.name}:{at}: {problem}")
            table[query][document] = value
    if not table:
        raise ScoringError(f"{path.name}: the file is empty")
    return table


def _row(row: list[str], columns: Columns, where: str) -> tuple[str, str, float]:
    if len(row) <= max(columns.places):
        raise ScoringError(
            f"{where}: expected {columns.count} columns of a TREC file, found {len(row)}: "
            f"'{' '.join(row)[:60]}'"
        )
    query, document, value = (row[place] for place in columns.places)
    try:
        return query, document, columns.number(value)
    except ValueError:
        kind = "whole" if columns.number is int else "finite"
        expected = f"expected a {kind} number in column {columns.places[-1] + 1} of a TREC file"
        raise ScoringError(f"{where}: {expected}, found '{value[:60]}'") from None


def _read_json(path: Path) -> Numbers:
    parsed = read_any(path)
    value = parsed.value
    if not isinstance(value, dict) or not all(map(is_scores, value.values())):
        raise MisshapenError(f"{path.name}: expected {EXPECTED} by query")
    if parsed.repeated:
        count = len(parsed.repeated)
        raise ScoringError(f"{path.name}: {count} duplicate: {name_some(parsed.repeated)}")
    return value
