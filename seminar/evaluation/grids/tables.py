"""Tables of a grid, the paper's figure and ours in each cell, as text, Markdown or JSON."""

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
    """A row: the paper's figures, ours, and the reason where ours are lacking.

    `figures` are those without an interval; `roles` are those without a network; `small` marks a
    network far below the paper's size.
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
    """The tables of a grid and its notes."""

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


def heading(table: GridTable) -> str:
    """The part's title, split and corpus."""
    asked = f"{table.asked:,} of {table.whole:,} questions" if table.asked else "not run"
    corpus = f"; {table.note}" if table.note else ""
    return f"{table.title} ({table.place}): {table.split}, {asked}{corpus}"


def cells(table: GridTable, footnotes: _Footnotes) -> list[list[str]]:
    """The cells as text: for each column the paper's and ours."""
    lines = [
        ["system", *(name for column in table.columns for name in _names(table, column)), "notes"]
    ]
    for row in table.rows:
        line = [f"{row.system}{MARK if row.small else ''}"]
        for column in table.columns:
            decimals = _decimals(table, column)
            line += [_paper(row, column, decimals)] * bool(_printed(table, column))
            line.append(_ours(row, column, decimals))
        notes = (", ".join(row.roles), footnotes.mark(row.lacking), footnotes.mark(row.note))
        lines.append([*line, " ".join(filter(None, notes))])
    return lines


def _names(table: GridTable, column: str) -> list[str]:
    """The paper's column and ours, or ours alone where no figure of the paper is known."""
    return [f"{column} paper", column] if _printed(table, column) else [column]


def _printed(table: GridTable, column: str) -> list[float]:
    return [row.paper[column] for row in table.rows if column in row.paper]


def _decimals(table: GridTable, column: str) -> int:
    """The number of decimals that the paper prints in a column."""
    printed = _printed(table, column)
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
    small = any(row.small for table in report.tables for row in table.rows)
    mark = [f"{MARK} {TRAINED_SMALL}"] if small else []
    return [*mark, *footnotes.lines(), *_trainings(report), *report.notes]


def _trainings(report: GridReport) -> list[str]:
    """The trainings that make the networks which rows lack."""
    lacking = dict.fromkeys(
        role for table in report.tables for row in table.rows for role in row.roles
    )
    makes: dict[str, list[str]] = {}
    for role in lacking:
        makes.setdefault(ROLES[role].training, []).append(role)
    return [f"`seminar train {name}` makes {', '.join(roles)}" for name, roles in makes.items()]


def grid_as_text(report: GridReport) -> str:
    """Aligned columns, reasons below."""
    footnotes = _Footnotes()
    parts = [
        "\n".join([heading(table), *aligned_rows(cells(table, footnotes))])
        for table in report.tables
    ]
    return "\n\n".join([report.name, *parts, "\n".join(_below(report, footnotes))]).rstrip()


def grid_as_markdown(report: GridReport) -> str:
    """Markdown tables, reasons below."""
    footnotes = _Footnotes()
    parts = [
        f"{heading(table)}\n\n{markdown_rows(cells(table, footnotes))}" for table in report.tables
    ]
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
