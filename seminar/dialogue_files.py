"""Dialogues in files: questions to ask, and turns that were saved, one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from seminar.answering.records import Record
from seminar.errors import SeminarError
from seminar.io import write_json_lines
from seminar.protocols import PassageStore
from seminar.text import truncate, whole
from seminar.types import Dialogue, Pragmatic, Query, Reply, Span, Turn

SHOWN = 60  # characters of a question in an error
CANDIDATES = 50  # passages that are searched for a saved quotation

SavedTurn = dict[str, Any]  # as `reply_record` makes it


def check_question(line: str) -> str:
    """Return the line as a question; a line without a letter or a digit is an error."""
    question = whole(line.strip())
    if not any(character.isalnum() for character in question):
        shown = truncate(question, SHOWN)
        raise SeminarError(f"'{shown}' has no letter or digit: ask in words, as in \"Who is Ada?\"")
    return question


def parse_questions(content: bytes, name: str) -> list[str]:
    """Return the questions of a file: one a line, or those of saved turns."""
    lines = list(_lines(content, name))
    if lines and lines[0][1].startswith("{"):
        return [check_question(_parse_turn(line, place)["question"]) for place, line in lines]
    return [check_question(line) for _, line in lines]


def read_turns(file: Path) -> list[SavedTurn]:
    """Read the turns of a file that `Session.save` or `seminar ask --json` wrote."""
    return [_parse_turn(line, place) for place, line in _lines(read_content(file), str(file))]


def read_content(file: Path) -> bytes:
    """Read a file of questions or turns, whole."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise SeminarError(f"{file}: can't be read ({error.strerror})") from None


def write_turns(file: Path, turns: Sequence[Record]) -> None:
    """Write one turn a line, atomically."""
    try:
        write_json_lines(file, turns)
    except OSError as error:
        raise unwritable(file, error.strerror) from None


def unwritable(file: str | Path, reason: object) -> SeminarError:
    """Return the error for a file to which a conversation can't be saved."""
    return SeminarError(f"{file} can't be written ({reason}); save it under another name")


def restore_dialogue(
    turns: Sequence[SavedTurn], store: PassageStore, name: str
) -> tuple[Dialogue, list[str]]:
    """Return the dialogue of saved turns, and the questions that lost a quotation.

    Nothing is asked again: a quotation is restored where a passage of the index holds the same
    words at the same offsets of the same source. A turn that lost them all keeps its question and
    its text.
    """
    dialogue, lost = Dialogue(), []
    for number, turn in enumerate(turns, start=1):
        try:
            reply = _restore_reply(turn, store)
            complete = len(reply.literal) == len(turn["literal"])
        except (KeyError, TypeError, AttributeError) as error:
            raise SeminarError(
                f"{name}: turn {number} was not written by /save or seminar ask --json "
                f"({type(error).__name__}: {error})"
            ) from None
        dialogue = dialogue.add(Turn(turn["question"], reply))
        lost += [] if complete else [turn["question"]]
    return dialogue, lost


def _lines(content: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield each line that is not blank with its place, as in `questions.txt:3`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SeminarError(f"{name}: not UTF-8; save it as UTF-8, one question a line") from None
    for number, line in enumerate(text.split("\n"), start=1):  # no other break ends a JSON record
        if line.strip():
            yield f"{name}:{number}", line.strip()


def _parse_turn(line: str, place: str) -> SavedTurn:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or not isinstance(record.get("question"), str):
        raise SeminarError(f"{place}: not a saved turn, a JSON object with a 'question'")
    return record


def _restore_reply(turn: SavedTurn, store: PassageStore) -> Reply:
    extras = [(_locate(saved, store), saved["role"]) for saved in turn["pragmatic"]]
    return Reply(
        text=turn["text"],
        query=Query(turn["query"], question=turn["question"]),
        answerable=turn["answerable"],
        literal=tuple(span for saved in turn["literal"] if (span := _locate(saved, store))),
        pragmatic=tuple(Pragmatic(span, role) for span, role in extras if span),
        followups=tuple(turn["followups"]),
        topic=turn["topic"],
        switch=turn["switch"],
        score=turn.get("score"),
        meta=turn.get("meta", False),
    )


def _locate(saved: dict[str, Any], store: PassageStore) -> Span | None:
    """Find the saved span in a passage of the index that holds its words at its offsets."""
    words = " ".join((saved["title"], saved["section"], saved["text"]))
    [hits] = store.search_text([Query(words)], k=CANDIDATES)
    for passage in (hit.passage for hit in hits):
        start, end = saved["start"] - passage.start, saved["end"] - passage.start
        span = Span(passage, start, end)
        if start >= 0 and (span.text, span.source) == (saved["text"], saved["source"]):
            return span
    return None
