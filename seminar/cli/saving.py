"""Conversations in files: writing the turns, and going on after those of another day."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from seminar.answering.records import Record
from seminar.errors import SeminarError
from seminar.io import write_json_lines
from seminar.protocols import PassageStore
from seminar.types import Dialogue, Pragmatic, Query, Reply, Span, Turn

CANDIDATES = 50  # passages among which quoted words are looked for


def save_turns(name: str, turns: Sequence[Record], own: Collection[Path]) -> Path:
    """Write the turns, never over a file that isn't the conversation's own."""
    try:
        file = Path(name).expanduser().resolve()
        if file.exists() and file not in own:
            raise SeminarError(f"{name} is there already; name another: /save FILE")
        write_json_lines(file, turns)
    except (OSError, RuntimeError, ValueError) as error:  # no such home, a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise SeminarError(
            f"{name} can't be written ({reason}); name another: /save FILE"
        ) from None
    return file


def resumed(turns: Sequence[dict[str, Any]], store: PassageStore) -> tuple[Dialogue, list[str]]:
    """The dialogue of saved turns, and the questions whose quoted words stand there no more.

    Nothing is asked again: a quotation is taken from the index where its words stand exactly where
    the record says. A turn that lost all of them keeps its question and its text.
    """
    dialogue, lost = Dialogue(), []
    for number, turn in enumerate(turns, start=1):
        try:
            reply = _reply(turn, store)
            whole = len(reply.literal) == len(turn["literal"])
        except (KeyError, TypeError, AttributeError) as error:
            raise SeminarError(
                f"turn {number} isn't one that /save wrote ({type(error).__name__}: {error})"
            ) from None
        dialogue = dialogue.add(Turn(turn["question"], reply))
        lost += [] if whole else [turn["question"]]
    return dialogue, lost


def _reply(turn: dict[str, Any], store: PassageStore) -> Reply:
    extras = [(_located(one, store), one["role"]) for one in turn["pragmatic"]]
    return Reply(
        text=turn["text"],
        query=Query(turn["query"], question=turn["question"]),
        answerable=turn["answerable"],
        literal=tuple(span for one in turn["literal"] if (span := _located(one, store))),
        pragmatic=tuple(Pragmatic(span, role) for span, role in extras if span),
        followups=tuple(turn["followups"]),
        topic=turn["topic"],
        switch=turn["switch"],
    )


def _located(saved: dict[str, Any], store: PassageStore) -> Span | None:
    """The saved span in a passage of the index that holds its words at its place."""
    words = " ".join((saved["title"], saved["section"], saved["text"]))
    [hits] = store.search_text([Query(words)], k=CANDIDATES)
    for passage in (hit.passage for hit in hits):
        start, end = saved["start"] - passage.start, saved["end"] - passage.start
        span = Span(passage, start, end)
        if start >= 0 and (span.text, span.source) == (saved["text"], saved["source"]):
            return span
    return None
