"""`seminar doctor`: whether the installation, the weights and the indexes are in order."""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import chain

import click
from rich.console import Console
from rich.text import Text

from seminar.cli import consoles, options
from seminar.cli.consoles import print_json, printable
from seminar.health import Check, State, check, repair_named
from seminar.index_url import Place

STYLES: dict[State, str] = {"good": "green", "note": "yellow", "bad": "red"}
FAILED = 1


@click.command("doctor")
@click.argument("paths", nargs=-1, type=options.PLACE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, for programs.")
@click.option(
    "--repair",
    is_flag=True,
    help="Rebuild damaged indexes from what is intact; the rest is read again with the files.",
)
@options.debug
def command(paths: tuple[Place, ...], as_json: bool, repair: bool) -> None:
    """Check versions, weights and indexes.

    PATH is an index, or files that were indexed; without one, every index of files is checked.
    """
    console = consoles.output()
    bad = 0
    for one in chain(repair_named(paths) if repair else (), check(paths)):
        bad += one.state == "bad"
        if as_json:
            print_json(asdict(one))
        else:
            _print(console, one)
    if bad:
        sys.exit(FAILED)


def _print(console: Console, one: Check) -> None:
    state = Text(f"{one.state:5}", style=STYLES[one.state])
    line = Text.assemble(state, printable(f"{one.subject}: {one.detail}"))
    if one.advice:
        line.append(printable(f"; {one.advice}"), style="dim")
    console.print(line, soft_wrap=True)
