"""Paths on the command line, among which web addresses stand for the pages that are fetched."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.status import Status
from rich.text import Text

from seminar.cli import consoles
from seminar.cli.consoles import counted, printable
from seminar.ingestion.web.addresses import canonical, is_address
from seminar.ingestion.web.crawling import FRESH, PAGES, Crawl, crawl
from seminar.settings import home

Command = TypeVar("Command", bound=Callable[..., object])


class PathOrAddress(click.Path):
    """A path, or the address of a web page, which stays a text."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if isinstance(value, str) and is_address(value):
            return canonical(value)
        return super().convert(value, param, ctx)  # type: ignore[arg-type]


OPTIONS = (
    click.option(
        "--depth",
        type=click.IntRange(0, 20),
        default=0,
        help="How many links deep to go from a web page, to pages under the same path "
        "(default 0: the page only).",
    ),
    click.option(
        "--pages",
        type=click.IntRange(1, 10_000),
        default=PAGES,
        help=f"How many web pages to fetch at most (default {PAGES}).",
    ),
    click.option(
        "--refresh", is_flag=True, help="Ask for web pages again that were fetched within a day."
    ),
    click.option(
        "--allow-private",
        multiple=True,
        metavar="HOST",
        help="Fetch from this host although it is on this machine or in a private network; may be "
        "repeated.",
    ),
)


def paths_or_pages(command: Command) -> Command:
    """Add the argument PATHS and the options of web pages; the command gets only paths."""

    @functools.wraps(command)
    def with_pages(
        *args: object,
        paths: tuple[Path | str, ...],
        depth: int,
        pages: int,
        refresh: bool,
        allow_private: tuple[str, ...],
        **kwargs: object,
    ) -> object:
        fresh = 0.0 if refresh else FRESH
        found = [
            _fetched(Crawl(path, depth, pages, fresh), allow_private)
            if isinstance(path, str)
            else path
            for path in paths
        ]
        return command(*args, paths=tuple(found), **kwargs)

    decorated: Callable[..., object] = with_pages
    for option in reversed(OPTIONS):
        decorated = option(decorated)
    argument = click.argument("paths", nargs=-1, required=True, type=PathOrAddress())
    return argument(decorated)  # type: ignore[return-value]


def _fetched(task: Crawl, private: tuple[str, ...]) -> Path:
    """The folder of the pages of an address, which are fetched first where they are not there."""
    console = consoles.errors()
    with Status("", console=console) as status:

        def watch(address: str, done: int, pending: int) -> None:
            line = f"Fetching {address} ({counted(done, 'page')}, {pending:,} to come)"
            status.update(Text(printable(line)))

        folder, problems = crawl(task, home() / "pages", private=private, watch=watch)
    _print(console, [str(problem) for problem in problems])
    return folder


def _print(console: Console, problems: list[str]) -> None:
    for problem in problems[:20]:
        console.print(Text(printable(problem), style="yellow"), soft_wrap=True)
    if len(problems) > 20:
        console.print(Text(f"... and {len(problems) - 20} more", style="yellow"))
