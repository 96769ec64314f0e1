"""`seminar show`: the place of a quotation, with the text around it."""

from __future__ import annotations

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from seminar.answering.records import Record, span_record
from seminar.cli import consoles, last_asked, options
from seminar.cli.consoles import print_json, printable_lines
from seminar.cli.opening import open_for_asking
from seminar.cli.places import Places, choose_links
from seminar.index_url import Place
from seminar.ingestion.selection import EVERYTHING
from seminar.models.encoders.registry import AUTO
from seminar.session import Session
from seminar.settings import load_settings
from seminar.span_lookup import surroundings
from seminar.types import Span

AROUND = 600  # characters before and after


@click.command("show")
@click.argument("paths", nargs=-1, type=options.PLACE)
@click.argument("place")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, for programs.")
@options.links
@options.debug
def command(paths: tuple[Place, ...], place: str, as_json: bool, links: bool | None) -> None:
    """Show a place that an answer cites, with the text around it.

    PLACE is what an answer prints, as choir.md:13 or report.pdf#page=3, or the id of a span in
    JSON. Without PATH it is looked for in the files that were asked last.
    """
    chosen: dict[str, object] = {}
    if paths:
        given, selection = paths, EVERYTHING
    else:
        given, selection, chosen = last_asked.recall()
    settings = load_settings(None, {"encoder": AUTO, **chosen})
    session = Session(open_for_asking(given, settings, consoles.errors(), selection=selection))
    span = session.find(place)
    if as_json:
        print_json(place_record(session, span))
    else:
        console = consoles.output()
        print_place(console, session, span, linked=choose_links(console, links))


def place_record(session: Session, span: Span) -> Record:
    """A span with the text around it and where it opens, as a JSON object."""
    location = session.locate(span)
    before, after = surroundings(session.opened.index, span, AROUND)
    return {
        **span_record(span),
        "column": location.column,
        "citation": location.citation,
        "file": str(location.file) if location.file else None,
        "permalink": location.permalink or None,
        "before": before,
        "after": after,
    }


def print_place(console: Console, session: Session, span: Span, *, linked: bool) -> None:
    """Print a span's place, and its words marked in the text around them."""
    before, after = surroundings(session.opened.index, span, AROUND)
    styled = console.is_terminal and console.color_system is not None
    words = printable_lines(span.text) if styled else f"»{printable_lines(span.text)}«"
    text = Text.assemble(printable_lines(before), (words, "bold green"), printable_lines(after))
    console.print(Places(session.locate, linked=linked).line(span))
    for line in text.split("\n"):
        console.print(Padding(line, (0, 0, 0, 2), expand=False) if line else "")
