"""The papers' figures from published.toml, to compare with."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "published.toml"


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a paper's table: the system, its figures as printed, and its place."""

    paper: str
    number: int
    split: str
    setting: str
    task: str
    beside: tuple[str, ...]
    system: str
    scores: dict[str, float]

    @property
    def place(self) -> str:
        """The table of the row, as in "QAConv table 6, test, chunk mode, zero-shot"."""
        facts = [f"{self.paper} table {self.number}", self.split, self.setting]
        return ", ".join(fact for fact in facts if fact)


@cache
def published_rows() -> tuple[PublishedRow, ...]:
    """Every row that published.toml holds, in its order."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))["table"]
    return tuple(
        PublishedRow(
            paper=table["paper"],
            number=table["number"],
            split=table["split"],
            setting=table.get("setting", ""),
            task=table["task"],
            beside=tuple(table["beside"]),
            system=system,
            scores={
                column: float(cell)
                for column, cell in zip(table["columns"], cells, strict=True)
                if cell != ""
            },
        )
        for table in tables
        for system, *cells in table["rows"]
    )


def rows_beside(name: str, task: str, columns: tuple[str, ...]) -> list[PublishedRow]:
    """The papers' rows for a split that have at least one of the columns."""
    return [
        row
        for row in published_rows()
        if name in row.beside and row.task == task and set(columns) & row.scores.keys()
    ]
