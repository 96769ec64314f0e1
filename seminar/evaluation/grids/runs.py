"""Run a grid: each row's predictions in its own folder, its scores beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from seminar.errors import ConfigurationError, DatasetError, unknown
from seminar.evaluation import runs
from seminar.evaluation.grids.catalog import find_grid
from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe
from seminar.evaluation.grids.row_process import LACKING, run_in_process
from seminar.evaluation.grids.scores import scored
from seminar.evaluation.grids.setup import GridPlan, GridSetup, PartSetup
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
    """Run every row that can be run, resuming those that were stopped."""
    grid = _selected(find_grid(plan.name), plan)
    grid_setup = GridSetup(plan, grid)
    tables = tuple(_table(grid, part, grid_setup, watch) for part in grid.parts)
    return GridReport(plan.name, tables, grid.notes)


def _selected(grid: Grid, plan: GridPlan) -> Grid:
    """The grid with only the plan's rows, on a split that it has."""
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


def _table(grid: Grid, part: Part, grid_setup: GridSetup, watch: Watch) -> GridTable:
    """A part of the grid; what can't be run has the paper's cells and a reason."""
    try:
        setup = PartSetup(grid_setup, part)
    except DatasetError as error:
        name = next(iter(part.splits))
        printed = _printed(grid, part, part.splits[name])
        rows = [
            TableRow(row.system, printed.get(row.system, {}), lacking=str(error))
            for row in part.rows
        ]
        return GridTable(part.title, _place(grid, part, name), name, part.columns, tuple(rows))
    printed = _printed(grid, part, part.splits[setup.name])
    rows = [_row(setup, row, printed.get(row.system, {}), watch) for row in part.rows]
    return GridTable(
        part.title,
        _place(grid, part, setup.name),
        setup.name,
        part.columns,
        tuple(rows),
        asked=len(setup.examples),
        whole=setup.total,
        note=setup.corpus.note if setup.corpus else "",
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


def _row(setup: PartSetup, row: GridRow, printed: dict[str, float], watch: Watch) -> TableRow:
    if row.recipe is None:
        return TableRow(row.system, printed, lacking=row.lacking)
    absent = [role for role in row.recipe.roles if role not in setup.networks.given]
    if absent:
        return TableRow(row.system, printed, lacking=UNTRAINED, roles=tuple(absent))
    try:
        note, timed = _predicted(setup, row, row.recipe, watch)
    except LACKING as error:
        return TableRow(row.system, printed, lacking=str(error))
    return _scored(setup, row, row.recipe, TableRow(row.system, printed, note=note), timed)


def _predicted(
    setup: PartSetup, row: GridRow, recipe: Recipe, watch: Watch
) -> tuple[str, list[Timed]]:
    """A row's predictions, made in its folder or read from there, and the note on them."""
    folder, label = setup.folder(row), f"{setup.part.title}: {row.system}"
    runs.check(folder, setup.configuration(recipe))

    def watched(done: int, total: int) -> None:
        watch(label, done, total)

    if setup.part.alone:
        if not (folder / runs.SCORES).exists():
            setup.prepare()
            run_in_process(predict_row, (setup.plan, setup.part.title, row.system), watched)
        return "", runs.predict(System(_unpredicted), setup.examples, folder, watch=watched)
    return _predict(setup, row, watched)


def _predict(setup: PartSetup, row: GridRow, watched: runs.Watch) -> tuple[str, list[Timed]]:
    folder, recipe = setup.folder(row), row.recipe or Recipe()
    reset_peak()
    system = system_of(recipe, setup.resources)
    runs.begin(folder, setup.configuration(recipe), system)
    return system.note, runs.predict(system, setup.examples, folder, watch=watched)


def predict_row(plan: GridPlan, title: str, system: str, watched: runs.Watch) -> None:
    """A row's predictions in a fresh process, which knows only the plan."""
    grid = find_grid(plan.name)
    part = next(part for part in grid.parts if part.title == title)
    row = next(row for row in part.rows if row.system == system)
    _predict(PartSetup(GridSetup(plan, grid), part), row, watched)


def _unpredicted(examples: Sequence[Example]) -> list[Prediction]:
    raise ConfigurationError(f"{len(examples)} questions were not predicted: run the grid again")


def _scored(
    setup: PartSetup, row: GridRow, recipe: Recipe, noted: TableRow, timed: Sequence[Timed]
) -> TableRow:
    """The row with its cells, and with the networks that filled them."""
    used = setup.networks.used(recipe)
    cells = scored(
        setup.part.columns,
        find_task(setup.name, setup.part.kind),
        list(zip(setup.examples, timed, strict=True)),
        parameters=used[recipe.reader].parameters if recipe.reader in used else None,
        judge=setup.networks.judge(setup.part.judge),
        seed=setup.plan.seed,
    )
    networks = [network.description for network in used.values()]
    notes = [noted.note, note_of(recipe, setup.resources), *networks]
    result = replace(
        noted,
        scores=cells.scores,
        figures=cells.figures,
        note="; ".join(filter(None, notes)),
        small=any(network.small for network in used.values()),
    )
    runs.write_json(setup.folder(row) / runs.SCORES, asdict(result))
    return result
