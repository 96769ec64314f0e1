"""A grid run: each row's predictions in a folder of its own, its scores beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from seminar.errors import ConfigurationError, DatasetError, unknown
from seminar.evaluation import runs
from seminar.evaluation.grids.catalog import find_grid
from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe
from seminar.evaluation.grids.row_process import LACKING, in_its_own_process
from seminar.evaluation.grids.scores import scored
from seminar.evaluation.grids.setup import GridPlan, Shelf, Site
from seminar.evaluation.grids.systems import note_of, system_of
from seminar.evaluation.grids.tables import GridReport, GridTable, TableRow
from seminar.evaluation.memory import reset_peak
from seminar.evaluation.predictions import Prediction, Timed
from seminar.evaluation.published import published_rows
from seminar.evaluation.setup import System
from seminar.evaluation.suites.catalog import find_task
from seminar.examples import Example

Watch = Callable[[str, int, int], None]  # the row, questions done, questions in all
UNTRAINED = "no trained network in this role: --network ROLE=FOLDER, or --networks DIR"


def run_grid(plan: GridPlan, *, watch: Watch = lambda row, done, total: None) -> GridReport:
    """Run every row that can be run here, or go on with the rows that were stopped."""
    grid = _chosen(find_grid(plan.name), plan)
    shelf = Shelf(plan, grid)
    tables = tuple(_table(grid, part, shelf, watch) for part in grid.parts)
    return GridReport(plan.name, tables, grid.notes)


def _chosen(grid: Grid, plan: GridPlan) -> Grid:
    """The grid with only the rows that were asked for, on a split that it has."""
    known = {name for part in grid.parts for name in part.splits}
    if plan.split and plan.split not in known:
        raise unknown(f"split for {plan.name}", plan.split, known)
    if not plan.rows:
        return grid
    parts = [replace(part, rows=_matching(part.rows, plan.rows)) for part in grid.parts]
    if not any(part.rows for part in parts):
        names = [row.system for part in grid.parts for row in part.rows]
        raise unknown(f"row of {plan.name}", plan.rows[0], names)
    return replace(grid, parts=tuple(part for part in parts if part.rows))


def _matching(rows: Sequence[GridRow], words: Sequence[str]) -> tuple[GridRow, ...]:
    """The rows that have one of the names, or part of it where none has it in full."""
    names = {row.system.lower() for row in rows}
    wanted = [word.lower() for word in words]

    def matches(name: str) -> bool:
        return any(name == word if word in names else word in name for word in wanted)

    return tuple(row for row in rows if matches(row.system.lower()))


def _table(grid: Grid, part: Part, shelf: Shelf, watch: Watch) -> GridTable:
    """A part of the grid; what can't be run has the paper's cells and a reason."""
    try:
        site = Site(shelf, part)
    except DatasetError as error:
        name = next(iter(part.splits))
        printed = _printed(grid, part, part.splits[name])
        rows = [
            TableRow(row.system, printed.get(row.system, {}), lacking=str(error))
            for row in part.rows
        ]
        return GridTable(part.title, _place(grid, part, name), name, part.columns, tuple(rows))
    printed = _printed(grid, part, part.splits[site.name])
    rows = [_row(site, row, printed.get(row.system, {}), watch) for row in part.rows]
    return GridTable(
        part.title,
        _place(grid, part, site.name),
        site.name,
        part.columns,
        tuple(rows),
        asked=len(site.examples),
        whole=site.whole,
        note=site.corpus.note if site.corpus else "",
    )


def _place(grid: Grid, part: Part, name: str) -> str:
    return f"{grid.paper} table {part.number}, {part.splits[name]}"


def _printed(grid: Grid, part: Part, split: str) -> dict[str, dict[str, float]]:
    """The paper's cells of each row, from all of the table's settings together."""
    cells: dict[str, dict[str, float]] = {}
    for row in published_rows():
        where = (row.paper, row.number, row.split)
        if where == (grid.paper, part.number, split) and row.setting in part.settings:
            cells.setdefault(row.system, {}).update(row.scores)
    return cells


def _row(site: Site, row: GridRow, printed: dict[str, float], watch: Watch) -> TableRow:
    if row.recipe is None:
        return TableRow(row.system, printed, lacking=row.lacking)
    absent = [role for role in row.recipe.roles if role not in site.networks.given]
    if absent:
        return TableRow(row.system, printed, lacking=UNTRAINED, roles=tuple(absent))
    try:
        note, timed = _predicted(site, row, row.recipe, watch)
    except LACKING as error:
        return TableRow(row.system, printed, lacking=str(error))
    return _scored(site, row, row.recipe, TableRow(row.system, printed, note=note), timed)


def _predicted(site: Site, row: GridRow, recipe: Recipe, watch: Watch) -> tuple[str, list[Timed]]:
    """A row's predictions, made in the folder or found there, and what must be said of them."""
    folder, called = site.folder(row), f"{site.part.title}: {row.system}"
    runs.check(folder, site.configuration(recipe))

    def watched(done: int, total: int) -> None:
        watch(called, done, total)

    if site.part.alone:
        if not (folder / runs.SCORES).exists():
            site.prepare()
            in_its_own_process(predict_alone, (site.plan, site.part.title, row.system), watched)
        return "", runs.predict(System(_nothing), site.examples, folder, watch=watched)
    return _predict(site, row, watched)


def _predict(site: Site, row: GridRow, watched: runs.Watch) -> tuple[str, list[Timed]]:
    folder, recipe = site.folder(row), row.recipe or Recipe()
    reset_peak()
    system = system_of(recipe, site.ground)
    runs.begin(folder, site.configuration(recipe), system)
    return system.note, runs.predict(system, site.examples, folder, watch=watched)


def predict_alone(plan: GridPlan, title: str, system: str, watched: runs.Watch) -> None:
    """A row's predictions, where only the plan is known: a process begins with nothing."""
    grid = find_grid(plan.name)
    part = next(one for one in grid.parts if one.title == title)
    row = next(one for one in part.rows if one.system == system)
    _predict(Site(Shelf(plan, grid), part), row, watched)


def _nothing(examples: Sequence[Example]) -> list[Prediction]:
    raise ConfigurationError(f"{len(examples)} questions were not predicted: run the grid again")


def _scored(
    site: Site, row: GridRow, recipe: Recipe, told: TableRow, timed: Sequence[Timed]
) -> TableRow:
    """The row with its cells, and with the networks that filled them."""
    used = site.networks.used(recipe)
    cells = scored(
        site.part.columns,
        find_task(site.name, site.part.kind),
        list(zip(site.examples, timed, strict=True)),
        parameters=used[recipe.reader].parameters if recipe.reader in used else None,
        judge=site.networks.judge(site.part.judge),
        seed=site.plan.seed,
    )
    notes = [told.note, note_of(recipe, site.ground), *(one.told for one in used.values())]
    result = replace(
        told,
        scores=cells.scores,
        figures=cells.figures,
        note="; ".join(filter(None, notes)),
        small=any(one.small for one in used.values()),
    )
    runs.write_json(site.folder(row) / runs.SCORES, asdict(result))
    return result
