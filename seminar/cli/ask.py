"""`seminar ask`: one question, several, or a whole dialogue from a file."""

from __future__ import annotations

import functools
import sys
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from seminar.cli import consoles, options
from seminar.cli.consoles import print_json
from seminar.cli.opening import open_for_asking
from seminar.cli.places import Places, choose_links
from seminar.cli.printing import print_asked, print_notes, print_questions, print_reply
from seminar.dialogue_files import check_question, parse_questions, read_content
from seminar.errors import SeminarError
from seminar.index_url import Place
from seminar.ingestion.selection import Selection
from seminar.models.encoders.registry import AUTO
from seminar.session import Session
from seminar.settings import Settings


@click.command("ask")
@options.places
@click.option(
    "-q",
    "--question",
    "questions",
    multiple=True,
    help="A question; may be repeated, each is asked by itself.",
)
@click.option(
    "--dialogue",
    "script",
    type=click.Path(path_type=Path),
    help="Ask the questions of a file as one conversation: one a line, or those of a saved "
    "conversation; - reads standard input.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, for programs.")
@options.scope
@options.links
@options.selection
@options.forget
@functools.partial(options.settings, encoder=AUTO)
@options.debug
def command(
    paths: tuple[Place, ...],
    questions: tuple[str, ...],
    *,
    script: Path | None,
    as_json: bool,
    scope: str | None,
    links: bool | None,
    selection: Selection,
    forget: bool,
    settings: Settings,
) -> None:
    """Ask files and folders, or an index, one question or several.

    Each -q is asked by itself, the questions of a --dialogue as one conversation.
    """
    dialogues = [[check_question(question)] for question in questions if question.strip()]
    if script:
        dialogues.append(_read_script(script))
    if not any(dialogues):
        raise SeminarError('nothing to ask: name a question with -q "..." or a --dialogue FILE')
    if scope is not None:
        settings = replace(settings, scope=scope)
    opened = open_for_asking(paths, settings, consoles.errors(), selection=selection, forget=forget)
    for dialogue in dialogues:
        _converse(Session(opened), dialogue, consoles.output(), as_json=as_json, links=links)


def _read_script(script: Path) -> list[str]:
    content = sys.stdin.buffer.read() if script == Path("-") else read_content(script)
    return parse_questions(content, str(script))


def _converse(
    session: Session, lines: list[str], console: Console, *, as_json: bool, links: bool | None
) -> None:
    for line in lines:
        reply = session.ask(line)
        if as_json:
            print_json(session.records[-1])
            print_notes(consoles.errors(), reply)
        else:
            print_asked(console, session.dialogue.turns[-1].question)
            places = Places(session.locate, linked=choose_links(console, links))
            print_reply(console, reply, session.seconds, places)
            print_questions(console, reply)
