"""Dialog acts as QuAC's teachers give them: affirmation, answerability, continuation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.answering.already_told import Shown, asks, enclosing, sentence_spans
from seminar.text import terms
from seminar.types import Affirmation, Answer, Continuation, Hit, Query, Span

NEAR = 3  # sentences after the answer's own that are looked at
FOLLOW_UP = 2  # so many of them that are new make it worth asking on
_CONTINUES = re.compile(r"(?:He|She|It|They|His|Her|Its|Their|This|These) ")
_OPEN = re.compile(
    r"(?:(?:and|but|so|then|or|ok|okay|well|now)\b,? )*"
    r"(?:(?:at|in|on|for|to|from|by|since|until|with|under|about|of) )?"
    r"(?:what|when|where|which|who|whom|whose|why|how)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|cannot|without)\b|n['’]t\b",
    re.IGNORECASE,
)


def probable(answers: Sequence[Answer], threshold: float) -> list[Answer]:
    """The answers that reach the threshold; one of no probability never does."""
    return [answer for answer in answers if answer.score >= threshold and answer.score > 0]


def affirmation_of(question: str, answer: Answer) -> Affirmation:
    """The reader's yes or no, where the question can be answered by one and the words can show it.

    Words that ask show nothing, and words that deny show no yes, unless the question denies too.

    >>> from seminar.types import Passage
    >>> span = Span(Passage("a", 0, 24, "Refunds are never given."), 0, 24)
    >>> affirmation_of("Are refunds given?", Answer(span, 0.9, "no"))
    'no'
    >>> affirmation_of("Are refunds given?", Answer(span, 0.9, "yes"))
    'neither'
    >>> affirmation_of("And when are they given?", Answer(span, 0.9, "no"))
    'neither'
    """
    words = answer.span.text
    denied = bool(_DENIES.search(words)) and not _DENIES.search(question)
    if _OPEN.match(question.strip()) or asks(words) or (answer.affirmation == "yes" and denied):
        return "neither"
    return answer.affirmation


def continuation_of(
    query: Query, hits: Sequence[Hit], *, literal: Span, shown: Shown
) -> Continuation:
    """Whether to ask on, by how many of the next sentences are relevant and new.

    Two or three: follow up; one: maybe; none: don't.
    """
    new = relevant_new(query, hits, literal=literal, shown=shown, within=NEAR)
    if len(new) >= FOLLOW_UP:
        return "follow up"
    return "maybe" if new else "don't"


def relevant_new(
    query: Query, hits: Sequence[Hit], *, literal: Span, shown: Shown, within: int | None = None
) -> list[Span]:
    """The sentences after the answer's own in its section that are relevant and new.

    Relevant is a sentence of the answer's paragraph, one that shares a term with the question or
    the answer's sentence, or one that begins with a pronoun; only the next `within` are considered.
    """
    answer = enclosing(literal)
    subject = terms(query.typed) | terms(answer.text)
    return [
        span
        for span in _following(hits, answer)[:within]
        if _is_relevant(span, answer, subject) and not shown.repeats(span)
    ]


def _is_relevant(span: Span, answer: Span, subject: set[str]) -> bool:
    between = answer.passage.text[answer.end : span.start]
    if span.passage.id == answer.passage.id and "\n" not in between:
        return True
    return bool(terms(span.text) & subject) or bool(_CONTINUES.match(span.text))


def _following(hits: Sequence[Hit], answer: Span) -> list[Span]:
    """The next sentences of the answer's section, from its passage and from the other hits."""
    own = answer.passage
    found = {
        passage.start + span.start: span
        for passage in (own, *(hit.passage for hit in hits))
        if (passage.source, passage.section) == (own.source, own.section)
        for span in sentence_spans(passage)
    }
    return [found[at] for at in sorted(found) if at >= own.start + answer.end]
