"""Where a grid is run: what was asked for, and the split, corpus and networks of each part."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from seminar.datasets.conversations.qaconv_chunks import load_split
from seminar.errors import DatasetError
from seminar.evaluation import runs
from seminar.evaluation.grids.catalog import find_grid
from seminar.evaluation.grids.corpora import Corpus, corpus_of
from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe
from seminar.evaluation.grids.networks import Networks
from seminar.evaluation.grids.roles import assigned
from seminar.evaluation.grids.systems import Ground
from seminar.evaluation.setup import Bench
from seminar.settings import Settings


@dataclass(frozen=True, slots=True)
class GridPlan:
    """Which grid, on which split if not its own, with which networks, and where runs are kept.

    `networks` pairs roles with folders, `trained` is a folder of runs. `rows` are parts of the
    names of rows: only these are run and shown.
    """

    name: str
    out: Path
    split: str = ""
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    limit: int | None = None
    seed: int = 0
    networks: tuple[tuple[str, Path], ...] = ()
    trained: Path | None = None
    rows: tuple[str, ...] = ()


class Shelf:
    """What a grid's rows are given: its networks, and splits and corpora, each read once."""

    def __init__(self, plan: GridPlan, grid: Grid) -> None:
        self.plan = plan
        # Only some rows may be asked for: what others need may be named too, but isn't looked for.
        known = find_grid(plan.name).roles
        self.networks = Networks(assigned(plan.networks, plan.trained, known, needed=grid.roles))
        self._benches: dict[str, Bench] = {}
        self._corpora: dict[str, Corpus] = {}

    def bench(self, part: Part) -> Bench:
        """The split that was asked for, else the first of the part's that is there."""
        asked = self.plan.split
        problems = []
        for name in [asked] if asked in part.splits else part.splits:
            try:
                return self._bench(name)
            except DatasetError as error:
                problems.append(str(error))
        raise DatasetError(problems[0])

    def _bench(self, name: str) -> Bench:
        if name not in self._benches:
            plan = self.plan
            examples = list(load_split(name, plan.root))
            place = f"corpus-{_slug(name)}-{_slug(Path(plan.settings.encoder).name)}"
            self._benches[name] = Bench(
                name, examples, plan.out / place, plan.root, plan.settings, plan.seed
            )
        return self._benches[name]

    def corpus(self, bench: Bench) -> Corpus:
        if bench.name not in self._corpora:
            self._corpora[bench.name] = corpus_of(bench)
        return self._corpora[bench.name]


class Site:
    """A part of a grid with its split and its corpus found."""

    def __init__(self, shelf: Shelf, part: Part) -> None:
        self.plan, self.part, self.networks = shelf.plan, part, shelf.networks
        bench = shelf.bench(part)
        self.name = bench.name
        self.corpus = shelf.corpus(bench) if part.searched else None
        whole = bench.examples
        asked = [one for one in whole if self.corpus is None or self.corpus.covers(one)]
        self.whole, self.examples = len(whole), asked[: self.plan.limit]
        if not self.examples:
            raise DatasetError(f"{self.name} has no questions that can be asked here")
        self.weights = runs.weights(self.plan.settings)
        self.ground = Ground(replace(bench, examples=asked), self.corpus, self.networks)

    def folder(self, row: GridRow) -> Path:
        return self.plan.out / _slug(self.part.title) / _slug(row.system)

    def prepare(self) -> None:
        """Index the corpus now, so that no row's memory is charged with it."""
        if self.corpus:
            _ = self.ground.index

    def configuration(self, recipe: Recipe) -> runs.Configuration:
        """What the predictions of a row depend on, but for its system's own material."""
        used = self.networks.used(recipe)
        return {
            "dataset": self.name,
            "data": runs.digest(self.examples),
            "questions": len(self.examples),
            "corpus": self.corpus.note if self.corpus else None,
            "passages": self.corpus.material if self.corpus else None,
            "recipe": asdict(recipe),
            "networks": {role: one.fingerprint for role, one in used.items()},
            "settings": asdict(self.plan.settings),
            "weights": self.weights,
            "limit": self.plan.limit,
            "seed": self.plan.seed,
            "version": version("seminar"),
        }


def _slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text.lower()).strip("-")
