"""`seminar evaluate`: run systems on a dataset, with the paper's rows beside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
from seminar.config import Settings
from seminar.evaluation.evaluate import Plan, Watch, evaluate
from seminar.evaluation.tables import FORMATS


@click.command("evaluate")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME|FILE",
    help="A baseline, 'assistant', or a file of predictions; may be repeated. "
    "Without it the data alone is described.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N questions.")
@click.option("--seed", type=int, default=0, help="Of random choices and intervals (default 0).")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Where the runs are kept, a folder for each system (default evaluations/DATASET).",
)
@click.option(
    "--format", "style", type=click.Choice(sorted(FORMATS)), default="text", help="Of the table."
)
@options.settings
@options.debug
def command(
    dataset: str,
    systems: tuple[str, ...],
    *,
    limit: int | None,
    seed: int,
    out: Path | None,
    style: str,
    settings: Settings,
) -> None:
    """Evaluate systems on a split as in quac/val, from the official files under SEMINAR_DATA.

    A run that was stopped goes on where it was: its predictions are kept as they are made.
    """
    folder = out or Path("evaluations") / dataset.replace("/", "-")
    plan = Plan(dataset, systems, folder, settings=settings, limit=limit, seed=seed)
    console = Console(stderr=True, highlight=False)
    with progress_bars(console) as watch:
        report = evaluate(plan, watch=watch)
    print(FORMATS[style](report))
    if systems:
        console.print(f"runs kept in {folder}", style="dim", markup=False)


@contextmanager
def progress_bars(console: Console) -> Iterator[Watch]:
    """A bar for each system over its questions."""
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
            bars.update(tasks[system], completed=done)

        yield watch
