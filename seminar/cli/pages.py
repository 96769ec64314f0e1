"""Paths on the command line, among which web addresses stand for pages, and URLs for indexes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.status import Status
from rich.text import Text

from seminar.cli import consoles
from seminar.cli.consoles import counted, printable
from seminar.errors import ConfigurationError
from seminar.index_url import IndexUrl, Place, is_index_url, parse_index_url, parse_place
from seminar.ingestion.web.addresses import canonical, is_address
from seminar.ingestion.web.crawling import FRESH, PAGES, Crawl, crawl
from seminar.settings import home

Command = TypeVar("Command", bound=Callable[..., object])


class PlaceType(click.ParamType[Any]):
    """The place of an index: a folder, or a URL as s3://BUCKET/PATH."""

    name = "place"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        return parse_place(value) if isinstance(value, str) else value


class PathOrAddress(click.Path):
    """A path, the URL of an index, or the address of a web page, which stays a text."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:  # noqa: ANN401 - as click has it
        if isinstance(value, str) and is_address(value):
            return canonical(value)
        if isinstance(value, str) and is_index_url(value):
            return parse_index_url(value)
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
    """Add the argument PATHS of files and web pages; the command gets only paths."""

    @functools.wraps(command)
    def with_paths(*args: object, paths: tuple[Place, ...], **kwargs: object) -> object:
        for place in paths:
            if isinstance(place, IndexUrl):
                raise ConfigurationError(f"{place} is an index; name files to read")
        return command(*args, paths=paths, **kwargs)

    return paths_or_index(with_paths)  # type: ignore[return-value]


def paths_or_index(command: Command) -> Command:
    """Add the argument PATHS and the options of web pages; the command gets paths and indexes."""

    @functools.wraps(command)
    def with_pages(
        *args: object,
        paths: tuple[Place | str, ...],
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
