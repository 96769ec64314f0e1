"""Questions of the written dialogues for a calibration: after own replies, or rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn
from seminar.logistic import probability
from seminar.metrics.measures.overlap import f1
from seminar.reading.span_reader import Featured
from seminar.text import terms
from seminar.training.reader.written import IngestedSet, ingest
from seminar.types import Query, Reply, Span

CLOSE = 0.5  # token F1 from which a span counts as the written one
REWRITTEN_EVERY = 3  # of so many questions one is asked without history, in its rewrite


@dataclass(frozen=True, slots=True)
class WrittenProbe:
    """A turn, and the spans of its set that answer it."""

    turn: WrittenTurn
    answers: tuple[Span, ...]

    def is_right(self, span: Span) -> bool:
        """Whether a span agrees with one of the answers, in the same passage."""
        return any(_matches(span, answer) for answer in self.answers)


def dialogues_of(group: WrittenSet) -> tuple[IngestedSet, list[list[WrittenProbe]]]:
    """A set with its passages, and the turns of its dialogues."""
    ingested = ingest(group)
    return ingested, [[_probe(ingested, turn) for turn in turns] for turns in group.dialogues]


def asked_alone(number: int) -> bool:
    """Whether the question of that number is asked in its rewrite, without history."""
    return number % REWRITTEN_EVERY == 0


def own_reply(query: Query, candidates: Sequence[Featured]) -> Reply:
    """The reply that a reader without probabilities gives: its strongest candidate, or none.

    Later questions are asked after such replies, since in use they are asked after Seminar's own.
    """
    if not candidates or candidates[0].candidate.strength <= 0:
        return Reply("", query)
    best = candidates[0]
    score = probability(best.candidate.type_odds)
    topic = best.span.passage.title
    return Reply(
        best.span.text, query, answerable=True, literal=(best.span,), topic=topic, score=score
    )


def _probe(ingested: IngestedSet, turn: WrittenTurn) -> WrittenProbe:
    spans = (_span(ingested, quote) for quote in turn.answers)
    return WrittenProbe(turn, tuple(span for span in spans if span is not None))


def _span(ingested: IngestedSet, quote: Quote) -> Span | None:
    place = ingested.locate(quote)
    return Span(place[0], place[1], place[1] + len(quote.text)) if place else None


def _matches(span: Span, answer: Span) -> bool:
    if span.passage.id != answer.passage.id:
        return False
    words, gold = (" ".join(text.split()) for text in (span.text, answer.text))
    part = words in gold and bool(terms(words))
    return gold in words or part or f1(words, gold) >= CLOSE
