"""Opening files with a progress bar while they are indexed, and a line for each problem."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from seminar.assembly import Opened, is_index, open_files
from seminar.cli import last_asked, options
from seminar.cli.consoles import printable
from seminar.file_batches import Progress as Step
from seminar.file_batches import Watch
from seminar.index_url import Place
from seminar.ingestion.discover import Problem
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.models.encoders.registry import AUTO
from seminar.session import check_passages
from seminar.settings import Settings

SHOWN_PROBLEMS = 20
SHOWN_GONE = 3
LARGE_COLLECTION = (
    "a large collection: passages are found by the fast encoder 'static'; "
    "--encoder minilm finds more and takes longer to index"
)


def open_for_asking(
    paths: Sequence[Place],
    settings: Settings,
    console: Console,
    *,
    selection: Selection = EVERYTHING,
    forget: bool = False,
) -> Opened:
    """Open the paths, showing the progress of indexing and the files that can't be read."""
    with progress_bar(console) as watch:
        opened = open_files(paths, settings, selection=selection, forget=forget, watch=watch)
    if confirms_forgetting(console, opened.withheld):
        opened = open_files(paths, settings, selection=selection, forget=True)
    print_problems(console, opened.problems)
    if is_index(paths[0]):
        _print_unused(console, paths[0], settings, opened)
    elif settings.encoder == AUTO and opened.encoder.name == "static":
        console.print(Text(LARGE_COLLECTION, style="dim"), soft_wrap=True)
    check_passages(opened, paths)
    last_asked.remember(paths, selection, settings)
    return opened


def confirms_forgetting(console: Console, withheld: Sequence[str]) -> bool:
    """Whether the user, asked at a terminal, says that many files were deleted."""
    if not withheld or not (console.is_terminal and sys.stdin.isatty()):
        return False
    shown = ", ".join(printable(path) for path in withheld[:SHOWN_GONE])
    more = f" and {len(withheld) - SHOWN_GONE:,} more" if withheld[SHOWN_GONE:] else ""
    question = f"{len(withheld):,} files are gone: {shown}{more}. Forget them?"
    return click.confirm(question, default=False, err=True)


def _print_unused(console: Console, index: Place, settings: Settings, opened: Opened) -> None:
    """Note the options that have no effect, since an index was built with its own."""
    encoder = opened.encoder.name
    notes = []
    if options.chosen("encoder") and settings.encoder != encoder:
        notes.append(f"built with '{encoder}'; --encoder has no effect")
    if options.chosen("threads"):
        notes.append("its conversations are fixed; --threads and --no-threads have no effect")
    if options.chosen("ocr"):
        notes.append("its files are read; --ocr has no effect")
    if options.chosen("include") or options.chosen("exclude"):
        notes.append("its files are fixed; --include and --exclude have no effect")
    for note in notes:
        console.print(Text(printable(f"note: {index}: {note}"), style="yellow"), soft_wrap=True)


@contextmanager
def progress_bar(console: Console) -> Iterator[Watch]:
    """Show a bar over the bytes to read, with the passages per second and the time left."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(
            "{task.percentage:>3.0f}%  {task.fields[passages]} passages, {task.fields[rate]}"
        ),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )

    def watch(step: Step) -> None:
        if not bar.tasks:
            bar.start()
            bar.add_task("Indexing", total=step.total_bytes, passages=0, rate="")
        [task] = bar.tasks
        rate = f"{step.passages / task.elapsed:,.0f}/s" if task.elapsed else ""
        bar.update(task.id, completed=step.done_bytes, passages=f"{step.passages:,}", rate=rate)

    try:
        yield watch
    finally:
        bar.stop()


def print_problems(console: Console, problems: Sequence[Problem]) -> None:
    for problem in problems[:SHOWN_PROBLEMS]:
        console.print(Text(printable(str(problem)), style="yellow"), soft_wrap=True)
    if len(problems) > SHOWN_PROBLEMS:
        console.print(Text(f"... and {len(problems) - SHOWN_PROBLEMS} more", style="yellow"))
