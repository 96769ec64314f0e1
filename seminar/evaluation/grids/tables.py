"""A grid for people and for programs: each cell the paper's figure with ours beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from seminar.evaluation.grids.roles import ROLES
from seminar.evaluation.tables import NOTHING, aligned_rows, format_interval, markdown_rows
from seminar.metrics.statistics import Interval

MARK = "*"
TRAINED_SMALL = (
    "a network trained small: fewer parameters, or fewer examples, than any of the papers'"
)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: the paper's figures, ours, and why there are none where there are none.

    `figures` are those without an interval; `roles` are those that no network plays; `small` marks
    a network far below the paper's size.
    """

    system: str
    paper: dict[str, float]
    scores: dict[str, Interval] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    note: str = ""
    lacking: str = ""
    roles: tuple[str, ...] = ()
    small: bool = False


@dataclass(frozen=True, slots=True)
class GridTable:
    """A part of a grid: its rows, the paper's place, and how many questions of which split."""

    title: str
    place: str
    split: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    asked: int = 0
    whole: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class GridReport:
    """Everything that a grid tells."""

    name: str
    tables: tuple[GridTable, ...]
    notes: tuple[str, ...] = ()


class _Footnotes:
    """Reasons and notes, each numbered once."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def mark(self, text: str) -> str:
        if not text:
            return ""
        if text not in self.texts:
            self.texts.append(text)
        return f"[{self.texts.index(text) + 1}]"

    def lines(self) -> list[str]:
        return [f"[{number}] {text}" for number, text in enumerate(self.texts, start=1)]


def heading(one: GridTable) -> str:
    """What the part is, and what it was run on."""
    asked = f"{one.asked:,} of {one.whole:,} questions" if one.asked else "not run"
    corpus = f"; {one.note}" if one.note else ""
    return f"{one.title} ({one.place}): {one.split}, {asked}{corpus}"


def cells(one: GridTable, footnotes: _Footnotes) -> list[list[str]]:
    """The table as words: for each column the paper's cell and ours."""
    lines = [["system", *(name for column in one.columns for name in _names(one, column)), "notes"]]
    for row in one.rows:
        line = [f"{row.system}{MARK if row.small else ''}"]
        for column in one.columns:
            decimals = _decimals(one, column)
            line += [_paper(row, column, decimals)] * bool(_printed(one, column))
            line.append(_ours(row, column, decimals))
        notes = (", ".join(row.roles), footnotes.mark(row.lacking), footnotes.mark(row.note))
        lines.append([*line, " ".join(filter(None, notes))])
    return lines


def _names(one: GridTable, column: str) -> list[str]:
    """The paper's column and ours; one of which the paper's figures are not known is ours alone."""
    return [f"{column} paper", column] if _printed(one, column) else [column]


def _printed(one: GridTable, column: str) -> list[float]:
    return [row.paper[column] for row in one.rows if column in row.paper]


def _decimals(one: GridTable, column: str) -> int:
    """As many as the paper prints of a column."""
    printed = _printed(one, column)
    return max(
        (len(str(value).removesuffix(".0").partition(".")[2]) for value in printed), default=1
    )


def _paper(row: TableRow, column: str, decimals: int) -> str:
    return f"{row.paper[column]:.{decimals}f}" if column in row.paper else NOTHING


def _ours(row: TableRow, column: str, decimals: int) -> str:
    if column in row.figures:
        return f"{row.figures[column]:.{max(decimals, 1)}f}"
    return format_interval(row.scores.get(column), max(decimals, 1))


def _below(report: GridReport, footnotes: _Footnotes) -> list[str]:
    small = any(row.small for one in report.tables for row in one.rows)
    mark = [f"{MARK} {TRAINED_SMALL}"] if small else []
    return [*mark, *footnotes.lines(), *_trainings(report), *report.notes]


def _trainings(report: GridReport) -> list[str]:
    """What makes the networks that the rows lack."""
    lacking = dict.fromkeys(role for one in report.tables for row in one.rows for role in row.roles)
    makes: dict[str, list[str]] = {}
    for role in lacking:
        makes.setdefault(ROLES[role].training, []).append(role)
    return [f"`seminar train {name}` makes {', '.join(roles)}" for name, roles in makes.items()]


def grid_as_text(report: GridReport) -> str:
    """Aligned columns, reasons below."""
    footnotes = _Footnotes()
    parts = [
        "\n".join([heading(one), *aligned_rows(cells(one, footnotes))]) for one in report.tables
    ]
    return "\n\n".join([report.name, *parts, "\n".join(_below(report, footnotes))]).rstrip()


def grid_as_markdown(report: GridReport) -> str:
    """Tables for a page, reasons below."""
    footnotes = _Footnotes()
    parts = [f"{heading(one)}\n\n{markdown_rows(cells(one, footnotes))}" for one in report.tables]
    below = "\n".join(f"- {line}" for line in _below(report, footnotes))
    return "\n\n".join([f"## {report.name}", *parts, below]).rstrip()


def grid_as_json(report: GridReport) -> str:
    """One object: every number unrounded."""
    value = asdict(report)
    return json.dumps({"grid": value.pop("name"), **value}, ensure_ascii=False, indent=1)


GRID_FORMATS: dict[str, Callable[[GridReport], str]] = {
    "text": grid_as_text,
    "markdown": grid_as_markdown,
    "json": grid_as_json,
}
