"""The questions that a command is given: as typed, in a file, or in a saved conversation."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seminar.cli.consoles import printable
from seminar.errors import SeminarError
from seminar.text import truncate, whole

SHOWN = 60  # characters of a line in an error


def question_of(line: str) -> str:
    """The line as a question; one without a letter or a digit asks nothing."""
    question = whole(line.strip())
    if not any(character.isalnum() for character in question):
        shown = truncate(printable(question), SHOWN)
        raise SeminarError(f"'{shown}' has no letter or digit: ask in words, as in \"Who is Ada?\"")
    return question


def questions_in(script: Path) -> list[str]:
    """The questions of a file, '-' for standard input: one a line, or those of saved turns."""
    lines = list(_lines(script))
    if lines and lines[0][1].startswith("{"):
        return [question_of(_turn(line, place)["question"]) for place, line in lines]
    return [question_of(line) for _, line in lines]


def saved_turns(file: Path) -> list[dict[str, Any]]:
    """The records of a saved conversation, as `/save` and `seminar ask --json` write them."""
    return [_turn(line, place) for place, line in _lines(file)]


def _lines(script: Path) -> Iterator[tuple[str, str]]:
    """The lines that hold something, each with its place."""
    try:
        content = sys.stdin.buffer.read() if script == Path("-") else script.read_bytes()
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SeminarError(f"{script}: not UTF-8; save it as UTF-8, one question a line") from None
    except OSError as error:
        raise SeminarError(f"{script}: can't be read ({error.strerror})") from None
    for number, line in enumerate(text.split("\n"), start=1):  # no other break ends a JSON record
        if line.strip():
            yield f"{script}:{number}", line.strip()


def _turn(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("question"), str):
        raise SeminarError(f"{place}: not a saved turn, a JSON object with a 'question'")
    return record
