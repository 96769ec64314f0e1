"""The plan of a grid's run, and the split, corpus and networks of each of its parts."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path

from seminar.errors import DatasetError
from seminar.evaluation import runs
from seminar.evaluation.corpora import Corpus
from seminar.evaluation.grids.catalog import find_grid
from seminar.evaluation.grids.corpora import load_corpus
from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe
from seminar.evaluation.grids.networks import Networks
from seminar.evaluation.grids.roles import assign
from seminar.evaluation.grids.systems import Resources
from seminar.evaluation.setup import Setup
from seminar.evaluation.suites.catalog import find_suite
from seminar.settings import Settings


@dataclass(frozen=True, slots=True)
class GridPlan:
    """A grid, its split if not the grid's own, its networks, and the folder of its runs.

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


class GridSetup:
    """The networks of a grid, and its splits and corpora, each read once."""

    def __init__(self, plan: GridPlan, grid: Grid) -> None:
        self.plan = plan
        # A plan of some rows may name the networks of others, which aren't looked for.
        known = find_grid(plan.name).roles
        self.networks = Networks(assign(plan.networks, plan.trained, known, needed=grid.roles))
        self._splits: dict[str, Setup] = {}
        self._corpora: dict[str, Corpus] = {}

    def split(self, part: Part) -> Setup:
        """The plan's split, else the first of the part's splits whose file is there."""
        wanted = self.plan.split
        problems = []
        for name in [wanted] if wanted in part.splits else part.splits:
            try:
                return self._load(name)
            except DatasetError as error:
                problems.append(str(error))
        raise DatasetError(problems[0])

    def _load(self, name: str) -> Setup:
        if name not in self._splits:
            plan = self.plan
            examples = list(find_suite(name).load(name, plan.root))
            folder = f"corpus-{_slug(name)}-{_slug(Path(plan.settings.encoder).name)}"
            self._splits[name] = Setup(
                name, examples, plan.out / folder, plan.root, plan.settings, plan.seed
            )
        return self._splits[name]

    def corpus(self, setup: Setup) -> Corpus:
        if setup.name not in self._corpora:
            self._corpora[setup.name] = load_corpus(setup)
        return self._corpora[setup.name]


class PartSetup:
    """A part of a grid with its split, its corpus and the questions that are asked."""

    def __init__(self, grid: GridSetup, part: Part) -> None:
        self.plan, self.part, self.networks = grid.plan, part, grid.networks
        setup = grid.split(part)
        self.name = setup.name
        self.corpus = grid.corpus(setup) if part.searched else None
        covered = [
            example
            for example in setup.examples
            if self.corpus is None or self.corpus.covers(example)
        ]
        self.total, self.examples = len(setup.examples), covered[: self.plan.limit]
        if not self.examples:
            raise DatasetError(f"{self.name} has no questions that can be asked here")
        self.weights = runs.weights(self.plan.settings)
        self.resources = Resources(replace(setup, examples=covered), self.corpus, self.networks)

    def folder(self, row: GridRow) -> Path:
        return self.plan.out / _slug(self.part.title) / _slug(row.system)

    def prepare(self) -> None:
        """Index the corpus now, so that no row's memory is charged with it."""
        if self.corpus:
            _ = self.resources.index

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
            "networks": {role: network.fingerprint for role, network in used.items()},
            "settings": asdict(self.plan.settings),
            "weights": self.weights,
            "limit": self.plan.limit,
            "seed": self.plan.seed,
            "version": version("seminar"),
        }


def _slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text.lower()).strip("-")
