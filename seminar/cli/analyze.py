"""`seminar analyze`: tables and figures of datasets, predictions, conversations and trainings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from seminar.cli import consoles, options
from seminar.errors import MissingExtraError

Watch = Callable[[str, int, int | None], None]


@click.command("analyze")
@click.argument("inputs", nargs=-1, required=True, metavar="DATASET|FOLDER|FILE...")
@click.option(
    "--to",
    required=True,
    type=click.Path(path_type=Path),
    metavar="REPORT",
    help="The folder of the report: a new one, or an earlier report to replace.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, for programs.")
@options.debug
def command(inputs: tuple[str, ...], *, to: Path, as_json: bool) -> None:
    """Write a report of tables and figures.

    The report is one HTML file, with SVG, PNG and CSV beside it. An input is a dataset (topiocqa)
    or its split (quac/val) under SEMINAR_DATA, a file of a dataset, predictions or a run of
    `seminar evaluate`, conversations that /save or `seminar ask --json` wrote, the service's
    database or exported dialogues, a training log, or a folder of these.
    """
    try:
        from seminar.evaluation.analyses import analyse
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("seminar"):
            raise
        raise MissingExtraError("analysing", "analyze") from error
    with _bars(Console(stderr=True, highlight=False)) as watch:
        analysis = analyse(inputs, to, watch=watch)
    if as_json:
        consoles.print_json(analysis.as_record())
        return
    print(to / "index.html")
    for section in analysis.sections:
        print(f"  {consoles.printable(section.title)}: {len(section.shown)} tables and figures")
    if analysis.skipped:
        console = consoles.errors()
        console.print(
            f"not recognised: {consoles.counted(len(analysis.skipped), 'file')}, among them "
            f"{consoles.printable(str(analysis.skipped[0]))}",
            style="dim",
            markup=False,
        )


@contextmanager
def _bars(console: Console) -> Iterator[Watch]:
    """Show a bar for each step while it runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bars:
        tasks: dict[str, TaskID] = {}

        def watch(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total)
            bars.update(tasks[step], completed=done, total=total)

        yield watch
