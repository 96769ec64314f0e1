"""The interpretation of the question under which each of several answers is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from seminar.answering.already_told import enclosing
from seminar.text import STOP_WORDS, terms, words
from seminar.types import Answer, Span

LONGEST = 6  # words of a phrase that distinguishes answers
_NOUN, _NAME = 25, 60  # characters that a phrase without a preposition must be nearer

_CLAUSE_END = re.compile(r"[,;:()—–]|\b(?:and|but|or|while|whereas)\b")
_PUNCTUATION = re.compile(r"[;()—–“”\"]|[,:.](?!\d)")
_PREPOSITIONS = frozenset(
    """
    about above across after against along around as at before behind below beside between by during
    for from in inside into near of off on outside over past since through to toward towards under
    until via with within without
    """.split()
)
_ARTICLES = frozenset({"a", "an", "the"})
_LED = re.compile(rf"(?:{'|'.join(_PREPOSITIONS | _ARTICLES)})\b", re.IGNORECASE)
_NAMING = re.compile(r"\d|[A-Z]")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words of an answer's sentence that the other answers' sentences don't have."""

    text: str
    distance: int  # characters between it and the answer
    begins: bool  # the sentence

    @property
    def weakness(self) -> int:
        """How unlikely it is to name the interpretation; "In winter, ..." is likely to."""
        first = self.text.split()[0].lower()
        if first in _PREPOSITIONS:
            return 0 if self.begins else self.distance
        return self.distance + (_NOUN if first in _ARTICLES else _NAME)


def readings(question: str, answers: Sequence[Answer]) -> list[str]:
    """For each answer the words that distinguish it from the others, or "" where none do.

    Title, section or speaker where they differ, else a phrase of the answer's own sentence.
    """
    return [
        _reading(question, one, [other for other in answers if other is not one]) for one in answers
    ]


def _reading(question: str, answer: Answer, others: Sequence[Answer]) -> str:
    places: list[str] = []
    for place in _PLACES:
        own = place(answer.span)
        alike = [other for other in others if place(other.span) == own]
        if own and len(alike) < len(others) and own.lower() not in answer.text.lower():
            places.append(own)
            others = alike  # the others are distinguished already
    rest = _phrase(question, answer.span, [other.span for other in others]) if others else ""
    return " > ".join([*places, rest] if rest else places)


def _title(span: Span) -> str:
    return span.passage.title if span.passage.title != span.passage.source else ""


def _section(span: Span) -> str:
    return span.passage.section.rpartition(" > ")[2]


def _speaker(span: Span) -> str:
    return span.utterance.speaker if span.utterance else ""


_PLACES: tuple[Callable[[Span], str], ...] = (_title, _section, _speaker)


def _phrase(question: str, span: Span, others: Sequence[Span]) -> str:
    """The nearest phrase around an answer that says what no other answer's sentence says."""
    clauses = [_clause(other, [span]) for other in others]
    known = terms(question) | terms(span.text) | terms(" ".join(one.text for one in clauses))
    found = list(_phrases(question, span, _clause(span, others), known))
    return min(found, key=lambda one: one.weakness).text if found else ""


def _clause(span: Span, others: Sequence[Span]) -> Span:
    """The answer's sentence, or its clause where another answer stands in the same sentence."""
    whole = enclosing(span)
    if not any(
        other.passage == span.passage and other.start < whole.end and whole.start < other.end
        for other in others
    ):
        return whole
    text = span.passage.text
    before = [m.end() for m in _CLAUSE_END.finditer(text, whole.start, span.start)]
    after = _CLAUSE_END.search(text, span.end, whole.end)
    end = after.start() if after else whole.end
    return Span(span.passage, max(before, default=whole.start), end)


def _phrases(question: str, span: Span, clause: Span, known: set[str]) -> Iterator[_Phrase]:
    text, asked = span.passage.text, terms(question)
    for side in ((clause.start, span.start), (span.end, clause.end)):
        for run in _runs(text, side):
            new = [at for at, (start, end) in enumerate(run) if terms(text[start:end]) - known]
            if new:
                start, end = _bounds(text, run, (new[0], new[-1]), asked)
                phrase = text[start:end]
                # A bare verb names no interpretation.
                if _LED.match(phrase) or _NAMING.search(phrase):
                    distance = max(start - span.end, span.start - end)
                    yield _Phrase(phrase, distance, begins=start == clause.start)


def _runs(text: str, side: tuple[int, int]) -> Iterator[list[tuple[int, int]]]:
    """The words of a stretch, parted where punctuation parts them."""
    start = side[0]
    for cut in [*(m.start() for m in _PUNCTUATION.finditer(text, *side)), side[1]]:
        run = [(start + left, start + right) for left, right in words(text[start:cut])]
        start = cut + 1
        if run:
            yield run


def _bounds(
    text: str, run: Sequence[tuple[int, int]], new: tuple[int, int], asked: set[str]
) -> tuple[int, int]:
    """Where the new words begin, with the preposition and article before them, and where they end.

    A word of the question ends them, but for the noun that an article belongs to.
    """
    first, last = new
    spelled = [text[start:end].lower() for start, end in run]
    last = next((at for at in range(first, last) if terms(spelled[at + 1]) & asked), last)
    if first > 1 and spelled[first - 2] in _ARTICLES and terms(spelled[first - 1]) & asked:
        first -= 1
    while first > 0 and spelled[first - 1] in _PREPOSITIONS | _ARTICLES:
        first -= 1
    last = min(last, first + LONGEST - 1)
    while spelled[last] in STOP_WORDS and last > first:
        last -= 1
    if _ARTICLES & set(spelled[first:last]) and last + 1 < len(run):
        last += spelled[last + 1] not in STOP_WORDS
    return run[first][0], run[last][1]
