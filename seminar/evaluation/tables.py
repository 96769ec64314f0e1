"""Scores as a table beside the paper's rows: for a terminal, for a page, for a program."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from seminar.analysis.split_statistics import Summary
from seminar.evaluation.published import PublishedRow, rows_beside
from seminar.evaluation.tasks import Task
from seminar.metrics.statistics import Interval

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """A system's scores and what they took; no time or memory is known of a file's predictions.

    `domains` holds the scores on each kind of text, where a dataset has several.
    """

    system: str
    scores: dict[str, Interval]
    questions: int
    milliseconds: float | None = None
    megabytes: float | None = None
    note: str = ""
    domains: tuple[Row, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one kind of measure on one split, and the paper's rows for it."""

    name: str
    kind: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    published: tuple[PublishedRow, ...]
    decimals: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one evaluation tells: what the data holds, and a table a kind of measure."""

    name: str
    data: Summary
    tables: tuple[Table, ...]


def table(name: str, kind: str, task: Task, rows: Sequence[Row]) -> Table:
    """The table of some rows; columns that nobody fills are left out."""
    published = tuple(rows_beside(name, kind, task.columns))
    filled = {column for row in rows for column in row.scores}
    filled |= {column for row in published for column in row.scores}
    columns = tuple(column for column in task.columns if column in filled)
    return Table(name, kind, columns, tuple(rows), published, task.decimals)


def cells(one: Table) -> list[list[str]]:
    """The table as words: a heading, our rows, then the paper's."""
    heading = ["system", *one.columns, "questions", "ms/question", "peak MB", "source"]
    ours = [
        [
            row.system,
            *(format_interval(row.scores.get(column), one.decimals) for column in one.columns),
            f"{row.questions:,}",
            format_number(row.milliseconds, 2),
            format_number(row.megabytes, 0),
            row.note or NOTHING,
        ]
        for all_of_it in one.rows
        for row in (all_of_it, *all_of_it.domains)
    ]
    theirs = [
        [
            row.system,
            *(_printed(row.scores, column) for column in one.columns),
            *[NOTHING] * 3,
            row.place,
        ]
        for row in one.published
    ]
    return [heading, *ours, *theirs]


def format_interval(score: Interval | None, decimals: int) -> str:
    """A mean with its interval, or a dash."""
    if score is None:
        return NOTHING
    return f"{score.mean:.{decimals}f} [{score.low:.{decimals}f}, {score.high:.{decimals}f}]"


def format_number(value: float | None, decimals: int) -> str:
    """A number, or a dash."""
    return NOTHING if value is None else f"{value:,.{decimals}f}"


def _printed(scores: dict[str, float], column: str) -> str:
    """A figure with as many decimals as its row was printed with."""
    if column not in scores:
        return NOTHING
    decimals = max(len(str(score).partition(".")[2]) for score in scores.values())
    return f"{scores[column]:.{decimals}f}"


def as_text(report: Report) -> str:
    """Aligned columns."""
    parts = [_summary_text(report)]
    for one in report.tables:
        lines = cells(one)
        parts.append("\n".join([f"{one.name}, {one.kind}", *aligned_rows(lines)]))
    return "\n\n".join(parts)


def aligned_rows(lines: list[list[str]]) -> list[str]:
    """Lines whose cells stand below each other."""
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]


def _summary_text(report: Report) -> str:
    width = max(map(len, report.data))
    facts = [f"{name:{width}}  {value:,.10g}" for name, value in rounded(report.data).items()]
    return "\n".join([report.name, *facts])


def as_markdown(report: Report) -> str:
    """Tables for a page."""
    facts = [[name, f"{value:,.10g}"] for name, value in rounded(report.data).items()]
    parts = [markdown_rows([[report.name, ""], *facts])]
    parts += [f"{one.kind}\n\n{markdown_rows(cells(one))}" for one in report.tables]
    return "\n\n".join(parts)


def markdown_rows(lines: list[list[str]]) -> str:
    """A Markdown table; the first line is its heading."""
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    rows = [f"| {' | '.join(line)} |" for line in escaped]
    return "\n".join([rows[0], "|" + "---|" * len(lines[0]), *rows[1:]])


def as_json(report: Report) -> str:
    """One object: every number unrounded, the paper's rows as printed."""
    return json.dumps(as_object(report), ensure_ascii=False, indent=1)


def as_object(report: Report) -> dict[str, object]:
    """The report as plain data."""
    return {
        "dataset": report.name,
        "data": report.data,
        "tables": [
            {
                "kind": one.kind,
                "rows": [asdict(row) for row in one.rows],
                "published": [
                    {"system": row.system, "place": row.place, "scores": row.scores}
                    for row in one.published
                ],
            }
            for one in report.tables
        ],
    }


def rounded(summary: Summary) -> Summary:
    """A summary to two decimals, for people."""
    return {name: round(value, 2) for name, value in summary.items()}


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}
