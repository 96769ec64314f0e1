"""`seminar ask`: one question, several, or a whole dialogue from a file."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from seminar.answering.records import reply_record
from seminar.assistant import Assistant
from seminar.cli import options
from seminar.cli.opening import open_for_asking
from seminar.cli.printing import print_notes, print_questions, print_reply, printable
from seminar.config import Settings
from seminar.errors import SeminarError
from seminar.text import whole
from seminar.types import Dialogue, Turn


@click.command("ask")
@options.paths
@click.option("-q", "--question", "questions", multiple=True, help="A question; may be repeated.")
@click.option(
    "--dialogue",
    "script",
    type=click.Path(path_type=Path),
    help="A file with one question a line, asked as one dialogue.",
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
    dialogues = [[question] for question in _asked(questions)]
    if script:
        dialogues.append(_asked(_lines(script)))
    if not any(dialogues):
        raise SeminarError('nothing to ask: name a question with -q "..." or a --dialogue FILE')
    if scope is not None:
        settings = replace(settings, scope=scope)
    opened = open_for_asking(paths, settings, Console(stderr=True, highlight=False))
    console = Console(highlight=False)
    for lines in dialogues:
        _converse(opened.assistant, lines, console, as_json=as_json)


def _lines(script: Path) -> list[str]:
    try:
        return script.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise SeminarError(f"{script}: not UTF-8; save it as UTF-8, one question a line") from None
    except OSError as error:
        raise SeminarError(f"{script}: can't be read ({error.strerror})") from None


def _asked(lines: tuple[str, ...] | list[str]) -> list[str]:
    return [whole(line.strip()) for line in lines if line.strip()]


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
            print(
                json.dumps(reply_record(question, reply, seconds), ensure_ascii=False), flush=True
            )
            print_notes(Console(stderr=True, highlight=False), reply)
        else:
            console.print(Text(f"\n» {printable(question)}", style="dim"))
            print_reply(console, reply, seconds)
            print_questions(console, reply)
