"""`seminar evaluate`: run systems on a dataset, or fill a table of a paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from seminar.cli import options
from seminar.cli.judged import FEEDBACK, evaluate_feedback
from seminar.cluster import connected
from seminar.errors import ConfigurationError
from seminar.evaluation.evaluate import Plan, Watch, evaluate
from seminar.evaluation.grids.runs import run_grid
from seminar.evaluation.grids.setup import GridPlan
from seminar.evaluation.grids.tables import GRID_FORMATS
from seminar.evaluation.tables import FORMATS
from seminar.settings import Settings


@click.command("evaluate")
@click.argument("dataset", metavar="[DATASET]", default="")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME|FILE",
    help="A baseline, 'assistant', or a file of predictions; may be repeated. "
    "Without it only the data is described.",
)
@click.option(
    "--grid",
    metavar="NAME",
    help="Fill a table of a paper, as in topiocqa-table5, beside the paper's figures; a wrong name "
    "lists the tables. DATASET is then the split, if not the table's own.",
)
@click.option(
    "--network",
    "networks",
    multiple=True,
    metavar="ROLE=FOLDER",
    help="A trained network in a role of the grid, as in fid=runs/fid; may be repeated. A row that "
    "lacks one names its role, and a wrong role lists them all.",
)
@click.option(
    "--networks",
    "trained",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A folder of runs of `seminar train`; each network takes the role that it fits.",
)
@click.option(
    "--row",
    "rows",
    multiple=True,
    metavar="TEXT",
    help="Only the rows of a grid that have this name or contain it; may be repeated.",
)
@click.option(
    "--judged",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="With 'feedback' as DATASET: the folder of a service (default: service below "
    "SEMINAR_HOME), or a dialogue exported as JSON.",
)
@click.option(
    "--files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="The files or the index that an exported dialogue asks; may be repeated.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option(
    "--seed", type=int, default=0, help="Seed of random choices and intervals (default 0)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder of the runs, one for each system or row (default evaluations/NAME).",
)
@click.option(
    "--format", "style", type=click.Choice(sorted(FORMATS)), default="text", help="Of the table."
)
@options.ray(
    "Predict on the Ray cluster at this address, or on the one that runs here; its machines must "
    "see the datasets under the same path."
)
@options.settings
@options.debug
def command(
    dataset: str,
    systems: tuple[str, ...],
    *,
    grid: str | None,
    networks: tuple[str, ...],
    trained: Path | None,
    rows: tuple[str, ...],
    judged: Path | None,
    files: tuple[Path, ...],
    limit: int | None,
    seed: int,
    out: Path | None,
    style: str,
    ray: str | None,
    settings: Settings,
) -> None:
    """Run systems on a dataset, beside the figures of its paper.

    DATASET is a split as in quac/val, read from the official files under SEMINAR_DATA. With --grid
    a whole table of a paper is filled. A run that was stopped continues where it was: predictions
    are saved as they are made. The word feedback as DATASET asks the turns again that people judged
    in the web chat: right before, right now.
    """
    if dataset == FEEDBACK:
        print(evaluate_feedback(judged, files, settings, style=style))
        return
    _refuse("--judged and --files are for 'seminar evaluate feedback'", judged, files)
    folder = out or Path("evaluations") / (grid or dataset.replace("/", "-"))
    console = Console(stderr=True, highlight=False)
    if grid:
        _refuse("--system and --ray are for a dataset: a grid has rows of its own", systems, ray)
        wanted = GridPlan(
            grid,
            folder,
            split=dataset,
            settings=settings,
            limit=limit,
            seed=seed,
            networks=tuple(map(_role_and_folder, networks)),
            trained=trained,
            rows=rows,
        )
        with progress_bars(console) as watch:
            print(GRID_FORMATS[style](run_grid(wanted, watch=watch)))
    else:
        _refuse("--network, --networks and --row need a --grid", networks, trained, rows)
        _refuse("name a dataset and its split, as in quac/val, or a --grid", not dataset)
        plan = Plan(dataset, systems, folder, settings=settings, limit=limit, seed=seed)
        with progress_bars(console) as watch, connected(ray) if ray else nullcontext() as cluster:
            print(FORMATS[style](evaluate(plan, watch=watch, cluster=cluster)))
    if grid or systems:
        console.print(f"runs kept in {folder}", style="dim", markup=False)


def _refuse(message: str, *given: object) -> None:
    if any(given):
        raise ConfigurationError(message)


def _role_and_folder(text: str) -> tuple[str, Path]:
    role, mark, folder = text.partition("=")
    if not (role and mark and folder):
        raise ConfigurationError(f"--network {text}: expected ROLE=FOLDER, as in fid=runs/fid")
    return role, Path(folder)


@contextmanager
def progress_bars(console: Console) -> Iterator[Watch]:
    """Show a bar for each system over its questions while it runs."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def watch(system: str, done: int, total: int) -> None:
            if system not in tasks:
                tasks[system] = bars.add_task(system, total=total)
            # Finished bars are hidden: a grid has dozens of rows.
            bars.update(tasks[system], completed=done, visible=done < total)

        yield watch
