"""A progress bar for a run, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from seminar.training.loop.run import Run, Watch


@contextmanager
def progress_of(run: Run[Any], console: Console | None = None) -> Iterator[Watch]:
    """A callback for each step; stderr shows the steps, the loss and the best score."""
    console = console or Console(stderr=True)
    columns = (
        TextColumn("step"),
        MofNCompleteColumn(),
        BarColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    shown = console.is_terminal and run.hardware.rank == 0
    with Progress(*columns, console=console, disable=not shown) as bar:
        line = bar.add_task("", total=run.config.steps, completed=run.step)

        def watch(run: Run[Any], losses: Mapping[str, float]) -> None:
            status = f"loss {losses['loss']:.3f}, best {abs(run.best):.2f}"
            bar.update(line, completed=run.step, total=run.config.steps, description=status)

        yield watch
