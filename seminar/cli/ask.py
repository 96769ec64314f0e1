"""`seminar ask`: one question, several, or a whole dialogue from a file."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from seminar.answering.records import reply_record
from seminar.assistant import Assistant
from seminar.cli import consoles, options
from seminar.cli.consoles import print_json
from seminar.cli.opening import open_for_asking
from seminar.cli.printing import print_asked, print_notes, print_questions, print_reply
from seminar.cli.questions import question_of, questions_in
from seminar.errors import SeminarError
from seminar.settings import Settings
from seminar.types import Dialogue, Turn


@click.command("ask")
@options.paths
@click.option("-q", "--question", "questions", multiple=True, help="A question; may be repeated.")
@click.option(
    "--dialogue",
    "script",
    type=click.Path(path_type=Path),
    help="Questions asked as one dialogue: a file with one a line, or a saved conversation; "
    "- reads them from standard input.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line on stdout.")
@options.scope
@options.settings
@options.debug
def command(
    paths: tuple[Path, ...],
    questions: tuple[str, ...],
    *,
    script: Path | None,
    as_json: bool,
    scope: str | None,
    settings: Settings,
) -> None:
    """Ask files, folders or an index: each -q by itself, a --dialogue as one conversation."""
    dialogues = [[question_of(question)] for question in questions if question.strip()]
    if script:
        dialogues.append(questions_in(script))
    if not any(dialogues):
        raise SeminarError('nothing to ask: name a question with -q "..." or a --dialogue FILE')
    if scope is not None:
        settings = replace(settings, scope=scope)
    opened = open_for_asking(paths, settings, consoles.errors())
    for lines in dialogues:
        _converse(opened.assistant, lines, consoles.output(), as_json=as_json)


def _converse(
    assistant: Assistant, questions: list[str], console: Console, *, as_json: bool
) -> None:
    dialogue = Dialogue()
    for question in questions:
        begun = time.perf_counter()
        reply = assistant.reply(dialogue, question)
        seconds = time.perf_counter() - begun
        dialogue = dialogue.add(Turn(question, reply))
        if as_json:
            print_json(reply_record(question, reply, seconds))
            print_notes(consoles.errors(), reply)
        else:
            print_asked(console, question)
            print_reply(console, reply, seconds)
            print_questions(console, reply)
