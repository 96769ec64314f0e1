"""Dialog acts as QuAC's teachers give them: affirmation, answerability, continuation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seminar.answering.said import Said, enclosing, sentence_spans
from seminar.text import terms
from seminar.types import Affirmation, Answer, Continuation, Hit, Query, Span

FOLLOW_UP = 3  # unsaid sentences near the answer from which more is worth asking
_OPEN = re.compile(
    r"(?:(?:and|but|so|then|or|ok|okay|well|now)\b,? )*"
    r"(?:(?:at|in|on|for|to|from|by|since|until|with|under|about|of) )?"
    r"(?:what|when|where|which|who|whom|whose|why|how)\b",
    re.IGNORECASE,
)


def answerable(answers: Sequence[Answer], threshold: float) -> bool:
    """Whether the best candidate is probable enough to be told."""
    return bool(answers) and answers[0].score >= threshold


def affirmation_of(question: str, answer: Answer) -> Affirmation:
    """The reader's yes or no, where the question can be answered by one.

    >>> from seminar.types import Passage
    >>> span = Span(Passage("a", 0, 4, "Yes."), 0, 4)
    >>> affirmation_of("Is it open?", Answer(span, 0.9, "yes"))
    'yes'
    >>> affirmation_of("And when is it open?", Answer(span, 0.9, "yes"))
    'neither'
    """
    return "neither" if _OPEN.match(question.strip()) else answer.affirmation


def continuation_of(
    query: Query, hits: Sequence[Hit], *, literal: Span, said: Said
) -> Continuation:
    """Whether to ask on: how many relevant sentences near the answer are still unsaid.

    Near is the answer's passage and every other hit of its section; relevant is what shares a
    content word with the question or with the answer's sentence. Three or more: follow up; one or
    two: maybe; none, since the rest was told or the section says no more of it: don't.
    """
    subject = terms(query.question or query.text) | terms(enclosing(literal).text)
    unsaid = [
        span
        for hit in hits
        if hit.passage.source == literal.passage.source
        and hit.passage.section == literal.passage.section
        for span in sentence_spans(hit.passage)
        if terms(span.text) & subject and not said.repeats(span)
    ]
    if len(unsaid) >= FOLLOW_UP:
        return "follow up"
    return "maybe" if unsaid else "don't"
