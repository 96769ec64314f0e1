"""Our numbers beside those of the papers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import pandas as pd

from seminar.analysis.exhibits import Exhibit, Table, missing_table

# The splits of each paper's tables that are published; a dataset without a split means these.
SPLITS: Mapping[str, tuple[str, ...]] = {
    "quac": ("train", "val"),
    "qaconv": ("trn", "val", "tst"),
    "topiocqa": ("train", "dev"),
    "pragmaticqa": ("train", "val", "test"),
    "ambigqa": ("train", "dev"),
}
TITLE = "Beside the paper"
NAME = "paper"


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a paper, and the cell of our tables that should equal it."""

    dataset: str
    split: str
    table: str
    row: tuple[str, ...]
    column: str
    value: float
    where: str


def facts(dataset: str) -> list[Fact]:
    """What the papers say of a dataset."""
    text = files("seminar.analysis").joinpath("published.toml").read_text(encoding="utf-8")
    every = (Fact(**{**fact, "row": tuple(fact["row"])}) for fact in tomllib.loads(text)["fact"])
    return [fact for fact in every if fact.dataset == dataset]


def beside_paper(dataset: str, splits: Sequence[str], exhibits: Iterable[Exhibit]) -> Table:
    """The paper's number, ours, and the difference, for each that the analysed splits have."""
    tables = {one.name: one.frame for one in exhibits if not one.lacks}
    whole = set(SPLITS.get(dataset, ())) <= set(splits)
    rows = []
    for fact in facts(dataset):
        if fact.split not in splits and not (fact.split == "all" and whole):
            continue
        ours = cell(tables.get(fact.table, pd.DataFrame()), fact.row, fact.column)
        if ours is not None:
            name = ", ".join(fact.row)
            quantity = name if fact.column in (fact.split, "all") else f"{name}: {fact.column}"
            rows.append((quantity, fact.split, fact.where, fact.value, ours, ours - fact.value))
    if not rows:
        return missing_table(NAME, TITLE, "The papers say nothing of these splits.")
    columns = ["quantity", "split", "where", "paper", "ours", "difference"]
    return Table(NAME, TITLE, pd.DataFrame(rows, columns=columns))


def cell(frame: pd.DataFrame, row: Sequence[str], column: str) -> float | None:
    """The number in a column of the row whose first cells are these, if there is one."""
    if column not in frame.columns:
        return None
    found = frame
    for place, value in enumerate(row):
        found = found[found.iloc[:, place].astype(str) == value]
    if found.empty or pd.isna(found[column].iloc[0]):
        return None
    return float(found[column].iloc[0])
