"""Content that the asker has already seen, so that nothing is shown twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seminar.text import sentences, terms
from seminar.types import Dialogue, Passage, Reply, Span

REPEATED = 0.8  # the share of a sentence's terms in one shown text that makes it a repetition


@dataclass(frozen=True, slots=True)
class Shown:
    """Spans that were shown, as (source, start, end), and the terms of each shown text."""

    places: tuple[tuple[str, int, int], ...] = ()
    texts: tuple[frozenset[str], ...] = ()

    def add(self, spans: Iterable[Span]) -> Shown:
        """Add spans, with the sentences around them."""
        shown = [enclosing(span) for span in spans]
        return Shown(
            (*self.places, *(_place(span) for span in shown)),
            (*self.texts, *(frozenset(terms(span.text)) for span in shown)),
        )

    def repeats(self, span: Span) -> bool:
        """Whether a span has nothing new: it was shown, or nearly the same words were."""
        source, start, end = _place(span)
        if any(at == source and start < e and s < end for at, s, e in self.places):
            return True
        own = terms(span.text)
        return any(len(own & text) >= REPEATED * len(own) for text in self.texts) or not own

    @property
    def terms(self) -> frozenset[str]:
        """The terms of all shown texts."""
        return frozenset().union(*self.texts)


def shown_in(dialogue: Dialogue) -> Shown:
    """The answers and extras of a dialogue's replies."""
    replies = [turn.reply for turn in dialogue.turns if turn.reply.answerable]
    shown = Shown().add(span for reply in replies for span in _spans(reply))
    return Shown(shown.places, (*shown.texts, *(frozenset(terms(one.text)) for one in replies)))


def sentence_spans(passage: Passage) -> Iterator[Span]:
    """The sentences of a passage, without headings and the speakers' names before them."""
    for start, end in sentences(passage.text):
        begun = next((u.start for u in passage.utterances if start < u.start < end), start)
        span = Span(passage, begun, end)
        if span.text not in passage.heading:
            yield span


def asks(sentence: str) -> bool:
    """Whether a sentence is itself a question.

    >>> asks("“Who has the key?”"), asks("Ada has it.")
    (True, False)
    """
    return sentence.rstrip(" \n\"'”’)]*_").endswith(("?", "？"))


def enclosing(span: Span) -> Span:
    """The whole sentences that a span touches."""
    touched = [(s, e) for s, e in sentences(span.passage.text) if s < span.end and span.start < e]
    start = min([span.start, *(s for s, _ in touched)])
    return Span(span.passage, start, max([span.end, *(e for _, e in touched)]))


def _spans(reply: Reply) -> Iterator[Span]:
    yield from reply.literal
    yield from (one.span for one in reply.pragmatic)
    yield from (one.answer.span for one in reply.alternatives)


def _place(span: Span) -> tuple[str, int, int]:
    passage = span.passage
    return passage.source, passage.start + span.start, passage.start + span.end
