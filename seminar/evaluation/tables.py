"""Tables of scores beside the paper's rows, as text, Markdown or JSON."""

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
    """A system's scores, time and memory; a file of predictions has neither of the latter.

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
    """The result of an evaluation: statistics of the split, and a table for each measure."""

    name: str
    data: Summary
    tables: tuple[Table, ...]


def make_table(name: str, kind: str, task: Task, rows: Sequence[Row]) -> Table:
    """The table of some rows, without columns that no row fills."""
    published = tuple(rows_beside(name, kind, task.columns))
    filled = {column for row in rows for column in row.scores}
    filled |= {column for row in published for column in row.scores}
    columns = tuple(column for column in task.columns if column in filled)
    return Table(name, kind, columns, tuple(rows), published, task.decimals)


def cells(table: Table) -> list[list[str]]:
    """The cells as text: a heading, our rows, then the paper's."""
    heading = ["system", *table.columns, "questions", "ms/question", "peak MB", "source"]
    ours = [
        [
            row.system,
            *(format_interval(row.scores.get(column), table.decimals) for column in table.columns),
            f"{row.questions:,}",
            format_number(row.milliseconds, 2),
            format_number(row.megabytes, 0),
            row.note or NOTHING,
        ]
        for system in table.rows
        for row in (system, *system.domains)
    ]
    theirs = [
        [
            row.system,
            *(_printed(row.scores, column) for column in table.columns),
            *[NOTHING] * 3,
            row.place,
        ]
        for row in table.published
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
    for table in report.tables:
        lines = cells(table)
        parts.append("\n".join([f"{table.name}, {table.kind}", *aligned_rows(lines)]))
    return "\n\n".join(parts)


def aligned_rows(lines: list[list[str]]) -> list[str]:
    """Lines whose cells are aligned in columns."""
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
    """Markdown tables."""
    facts = [[name, f"{value:,.10g}"] for name, value in rounded(report.data).items()]
    parts = [markdown_rows([[report.name, ""], *facts])]
    parts += [f"{table.kind}\n\n{markdown_rows(cells(table))}" for table in report.tables]
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
                "kind": table.kind,
                "rows": [asdict(row) for row in table.rows],
                "published": [
                    {"system": row.system, "place": row.place, "scores": row.scores}
                    for row in table.published
                ],
            }
            for table in report.tables
        ],
    }


def rounded(summary: Summary) -> Summary:
    """Statistics to two decimals."""
    return {name: round(value, 2) for name, value in summary.items()}


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "json": as_json,
}
