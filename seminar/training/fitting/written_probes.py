"""Questions of the written dialogues for a calibration: after gold replies, or rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn
from seminar.metrics.measures.overlap import f1
from seminar.text import terms
from seminar.training.reader.written import IngestedSet, ingest
from seminar.types import Dialogue, Query, Reply, Span, Turn

CLOSE = 0.5  # token F1 from which a span counts as the written one
REWRITTEN_EVERY = 3  # of so many questions one is asked without history, in its rewrite


@dataclass(frozen=True, slots=True)
class WrittenProbe:
    """A question in its dialogue, and the spans of its set that answer it."""

    dialogue: Dialogue
    question: str
    turn: WrittenTurn
    answers: tuple[Span, ...]

    def is_right(self, span: Span) -> bool:
        """Whether a span agrees with one of the answers, in the same passage."""
        return any(_matches(span, answer) for answer in self.answers)


def probes_of(group: WrittenSet) -> tuple[IngestedSet, list[WrittenProbe]]:
    """A set with its passages, and the questions to ask of it."""
    ingested = ingest(group)
    return ingested, list(_probes(ingested))


def _probes(ingested: IngestedSet) -> Iterator[WrittenProbe]:
    count = 0
    for turns in ingested.group.dialogues:
        dialogue = Dialogue()
        for turn in turns:
            answers = tuple(
                span for quote in turn.answers if (span := _span(ingested, quote)) is not None
            )
            rewritten = count % REWRITTEN_EVERY == 0
            asked = (Dialogue(), turn.rewrite) if rewritten else (dialogue, turn.question)
            yield WrittenProbe(*asked, turn, answers)
            dialogue = dialogue.add(Turn(turn.question, _gold_reply(turn, answers[:1])))
            count += 1


def _span(ingested: IngestedSet, quote: Quote) -> Span | None:
    place = ingested.locate(quote)
    return Span(place[0], place[1], place[1] + len(quote.text)) if place else None


def _gold_reply(turn: WrittenTurn, spans: tuple[Span, ...]) -> Reply:
    topic = spans[0].passage.title if spans else ""
    query = Query(turn.question)
    return Reply(turn.reply, query, answerable=turn.answerable, literal=spans, topic=topic)


def _matches(span: Span, answer: Span) -> bool:
    if span.passage.id != answer.passage.id:
        return False
    words, gold = (" ".join(text.split()) for text in (span.text, answer.text))
    part = words in gold and bool(terms(words))
    return gold in words or part or f1(words, gold) >= CLOSE
