"""Long lists: shown in the pager of a terminal, and printed everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console

MARGIN = 2  # lines of the screen that the prompt takes


def print_paged(console: Console, render: Callable[[], None]) -> None:
    """Print what `render` prints to the console; through the pager if the screen can't hold it."""
    if not (console.is_terminal and sys.stdin.isatty()):
        render()
        return
    with console.capture() as captured:
        render()
    printed = captured.get()
    if printed.count("\n") <= console.height - MARGIN:
        console.file.write(printed)
        console.file.flush()
        return
    with console.pager():  # PAGER, else less; without styles, which not every pager shows
        render()
