"""A grid: a paper's table, each row with the recipe of the system that fills it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

# Seminar's own; any other name of a retriever or a reader is the role of a network.
# `best` is the trained retriever where one is given, else fusion.
OWN_RETRIEVERS = ("bm25", "lexical", "dense", "fusion", "best", "gold passage", "chunk", "context")
OWN_READERS = ("sentence", "span")
CLOSED_BOOK = "closed book"  # a reader without passages: a language model

HISTORIES = {"original": "original", "all": "all history", "rewrite": "rewrites"}
OWN_HISTORIES = {**HISTORIES, "auto": "auto"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """The system of a row: a baseline by its name, or a retriever and a reader.

    `k` passages are read, as many as the settings say where it is 0. A recipe without a reader
    only ranks. `decoding` is how a generating network writes its answers.
    """

    baseline: str = ""
    retriever: str = ""
    reader: str = ""
    history: str = "original"
    k: int = 0
    several: bool = False
    decoding: str = ""

    @property
    def roles(self) -> tuple[str, ...]:
        """The networks that it requires."""
        return tuple(
            name
            for name, own in (
                (self.retriever, OWN_RETRIEVERS),
                (self.reader, (*OWN_READERS, CLOSED_BOOK)),
            )
            if name and name not in own
        )

    @property
    def may_use(self) -> tuple[str, ...]:
        """The networks that replace Seminar's own stages where they are given."""
        rewriter = ("rewriter",) if self.history == "rewrite" else ()
        return (*(("dpr-retriever",) if self.retriever == "best" else ()), *rewriter)


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row as the paper names it, or one of ours; without a recipe, the reason."""

    system: str
    recipe: Recipe | None = None
    lacking: str = "Seminar has no such system"


@dataclass(frozen=True, slots=True)
class Part:
    """Rows with the same measures on one split, beside one table of the paper.

    `splits` are tried in order; each maps to the paper's split to compare with. `settings` are
    those of the paper's table. `alone` runs each row in its own process, so that memory is the
    row's; `searched` parts need the dataset's corpus. `judge` is the role of a network that
    measures a column.
    """

    title: str
    number: int
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    splits: Mapping[str, str]
    settings: tuple[str, ...] = ("",)
    kind: str = "answers"
    searched: bool = False
    alone: bool = False
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A paper's table in its parts."""

    paper: str
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role that a network can fill in it."""
        recipes = [row.recipe for part in self.parts for row in part.rows if row.recipe]
        named = [role for recipe in recipes for role in (*recipe.roles, *recipe.may_use)]
        return tuple(dict.fromkeys([*named, *(part.judge for part in self.parts if part.judge)]))


def baselines(names: Mapping[str, str]) -> tuple[GridRow, ...]:
    """Rows of baselines, by label and name."""
    return tuple(GridRow(label, Recipe(baseline=name)) for label, name in names.items())


def crossed(
    retrievers: Mapping[str, str], readers: Mapping[str, str], histories: Mapping[str, str]
) -> tuple[GridRow, ...]:
    """Every retriever with every reader and every form of the question, by label and name."""
    return tuple(
        GridRow(
            f"{' + '.join(filter(None, (retriever_label, reader_label)))}, {history_label}",
            Recipe(retriever=retriever, reader=reader, history=history),
        )
        for (retriever_label, retriever), (reader_label, reader), (
            history,
            history_label,
        ) in product(retrievers.items(), readers.items(), histories.items())
    )
