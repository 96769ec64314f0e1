"""Stored turns to the dialogue that they were, with exact spans in the current index.

Nothing is asked or searched again: passages are looked up by their document and offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from seminar.retrieval.file_index import FileIndex
from seminar.types import (
    Alternative,
    Answer,
    Dialogue,
    Hit,
    Passage,
    Pragmatic,
    Query,
    Reply,
    Representation,
    Span,
    Turn,
)

Record = dict[str, Any]
RESTORED = 20  # the last turns; the earlier ones keep their words, but not their passages


@dataclass(frozen=True, slots=True)
class StoredPair:
    """A question, and its reply as it was stored."""

    question: str
    reply: Record


def restore(pairs: Sequence[StoredPair], index: FileIndex) -> Dialogue:
    """The dialogue of stored turns; a span that the files no longer hold is left out."""
    recent = pairs[-RESTORED:]
    places = Places(index, {one for pair in recent for one in _documents(pair.reply)})
    earlier, nowhere = pairs[: len(pairs) - len(recent)], Places(index, set())
    turns = [Turn(pair.question, _reply(pair, nowhere)) for pair in earlier]
    return Dialogue((*turns, *(Turn(pair.question, _reply(pair, places)) for pair in recent)))


class Places:
    """The passages of some documents, found by their offsets."""

    def __init__(self, index: FileIndex, documents: set[str]) -> None:
        names = sorted(documents)
        self._passages = dict(zip(names, index.passages(names), strict=True)) if names else {}

    def span(self, record: Record) -> Span | None:
        """The span of a record, where its document still has the same words there."""
        start, end = record["start"], record["end"]
        passage = self._holding(record["document"], start, end)
        if passage is None:
            return None
        span = Span(passage, start - passage.start, end - passage.start)
        return span if span.text == record["text"] else None

    def passage(self, record: Record) -> Passage | None:
        """The passage of a hit's record, where its document still has it."""
        passage = self._holding(record["source"], record["start"], record["end"])
        return passage if passage and passage.text == record["text"] else None

    def _holding(self, document: str, start: int, end: int) -> Passage | None:
        passages = self._passages.get(document, ())
        return next((one for one in passages if one.start <= start and end <= one.end), None)


def _documents(reply: Record) -> Iterator[str]:
    yield from (hit["source"] for hit in reply["hits"])
    for span in (*reply["literal"], *reply["pragmatic"]):
        yield span["document"]
    for alternative in reply["alternatives"]:
        yield alternative["span"]["document"]
    if reply["nearest"]:
        yield reply["nearest"]["document"]


def _reply(pair: StoredPair, places: Places) -> Reply:
    saved = pair.reply
    extras = [(places.span(one), one["role"]) for one in saved["pragmatic"]]
    others = [(places.span(one["span"]), one) for one in saved["alternatives"]]
    hits = [(places.passage(one), one["score"]) for one in saved["hits"]]
    return Reply(
        text=saved["text"],
        query=Query(
            saved["query"],
            question=pair.question,
            representations=tuple(
                Representation(one["text"], one["weight"]) for one in saved["representations"]
            ),
        ),
        hits=tuple(Hit(passage, score) for passage, score in hits if passage),
        answerable=saved["answerable"],
        literal=tuple(span for one in saved["literal"] if (span := places.span(one))),
        pragmatic=tuple(Pragmatic(span, role) for span, role in extras if span),
        affirmation=saved["affirmation"],
        continuation=saved["continuation"],
        alternatives=tuple(
            Alternative(Answer(span, one["score"]), one["reading"]) for span, one in others if span
        ),
        followups=tuple(saved["followups"]),
        topic=saved["topic"],
        switch=saved["switch"],
        notes=tuple(saved["notes"]),
        nearest=places.span(saved["nearest"]) if saved["nearest"] else None,
        score=saved["score"],
        meta=saved["meta"],
    )
