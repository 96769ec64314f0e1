"""The spans of an answer in a passage: its exact occurrences, or else the span of best F1.

TopiOCQA's answers are free-form, while an extractive reader learns from spans: its authors take the
span of the gold passage with the highest token F1 with the answer (Adlakha et al., 2022, 5.1.2).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from dataclasses import dataclass

from seminar.metrics.measures.normalisation import tokens

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """Characters start:end of a passage and their token F1 with an answer."""

    start: int
    end: int
    f1: float


def answer_spans(passage: str, answers: tuple[str, ...], *, most: int = 10) -> list[ScoredSpan]:
    """Every occurrence of an answer's words in the passage, or else the best span for the first.

    DPR's reader learns from all the places together; `most` bounds them as its authors do.
    """
    exact = {
        (place.start(), place.end())
        for answer in answers
        if answer.strip()
        for place in re.finditer(_whole_words(answer), passage, re.IGNORECASE)
    }
    if exact:
        return [ScoredSpan(start, end, 1.0) for start, end in sorted(exact)[:most]]
    best = best_span(passage, answers[0]) if answers else None
    return [best] if best else []


def best_span(passage: str, answer: str) -> ScoredSpan | None:
    """The first and shortest span of whole words with the highest F1; None if nothing is shared.

    Exact: a span of n counted tokens that shares s with the answer's m has F1 2s / (n + m), and
    s never exceeds m, so no span of more than 2m / best - m tokens can be better than the best.

    >>> best_span("The lamp was lit in June of 1871.", "June 1871")
    ScoredSpan(start=20, end=32, f1=0.8)
    """
    expected = Counter(tokens(answer))
    size = expected.total()
    places = [(word.start(), word.end()) for word in _WORD.finditer(passage)]
    rows = [tokens(passage[start:end]) for start, end in places]
    # A word that shares nothing only costs precision at an end, so it is never first or last.
    ends = [at for at, row in enumerate(rows) if any(token in expected for token in row)]
    best = 0.0
    chosen: tuple[int, int] | None = None
    for number, first in enumerate(ends):
        left, counted, shared, read = expected.copy(), 0, 0, first
        for last in ends[number:]:
            for row in rows[read : last + 1]:
                counted += len(row)
                shared += _taken(row, left)
            read = last + 1
            score = 2 * shared / (counted + size)
            if score > best:
                best, chosen = score, (first, last)
            if best * (counted + size) >= 2 * size:
                break
    if chosen is None:
        return None
    start, end = _trimmed(passage, places[chosen[0]][0], places[chosen[1]][1], answer)
    return ScoredSpan(start, end, best)


def _taken(row: list[str], left: Counter[str]) -> int:
    """How many of a word's tokens are left to match; they are taken out."""
    taken = 0
    for token in row:
        if left[token] > 0:
            left[token] -= 1
            taken += 1
    return taken


def _trimmed(passage: str, start: int, end: int, answer: str) -> tuple[int, int]:
    """The span without punctuation at its ends, but for what the answer has there too."""
    stripped = answer.strip()
    while passage[start] in string.punctuation and passage[start] != stripped[0]:
        start += 1
    while passage[end - 1] in string.punctuation and passage[end - 1] != stripped[-1]:
        end -= 1
    return start, end


def _whole_words(answer: str) -> str:
    """A pattern for an answer that is not the middle of a longer word."""
    words = r"\s+".join(re.escape(word) for word in answer.split())
    before = r"(?<!\w)" if answer.strip()[0].isalnum() else ""
    after = r"(?!\w)" if answer.strip()[-1].isalnum() else ""
    return f"{before}{words}{after}"
