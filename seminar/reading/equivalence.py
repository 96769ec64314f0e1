"""Equivalence of answers: the same words, the same number, or one with more detail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.measures.numbers import words_to_number
from seminar.types import Answer, Span

# Words that begin a phrase with more detail about the noun before it.
_LINKS = frozenset(
    """
    about after around at before between by circa during for from in into near of on over since
    that through to under until when where which who whose with
    """.split()
)
_APPOSITION = re.compile(r"[;:(\[]|,(?!\s*\d)")  # not a comma in a date or a number
_MONTHS = frozenset(
    """
    january february march april may june july august september october november december
    """.split()
)
_SCALES = frozenset({"thousand", "million", "billion"})  # also written as words after digits
_POINT = re.compile(r"(?<=\d)[.:](?=\d)")  # in a decimal or a time of day; normalisation removes it


def equivalent_texts(first: str, second: str) -> bool:
    """Whether two texts give the same answer.

    The longer text may have more detail: it ends with the same date or number, or it contains the
    words of the shorter in a row and both have the same head, the last word before a preposition or
    a comma.

    >>> equivalent_texts("Two", "2"), equivalent_texts("in 1911", "4 May 1911")
    (True, True)
    >>> equivalent_texts("3.5 metres", "35 metres"), equivalent_texts("1,000", "1000")
    (False, True)
    >>> equivalent_texts("Barack Obama, the president", "Obama")
    True
    >>> equivalent_texts("Rocky", "Rocky II")
    False
    """
    first_words, second_words = _words(first), _words(second)
    if not first_words or not second_words:
        return first.strip() == second.strip()
    if first_words == second_words or _number(first) == _number(second) is not None:
        return True
    shorter, longer = sorted((first_words, second_words), key=len)
    if all(word.isdigit() or word in _MONTHS for word in shorter):
        return longer[-len(shorter) :] == shorter
    return _contains(longer, shorter) and _head(first) == _head(second)


def equivalent(first: Answer, second: Answer) -> bool:
    """Whether two answers are the same: equal yes or no, overlapping spans or equivalent texts."""
    if first.affirmation != "neither" or second.affirmation != "neither":
        return first.affirmation == second.affirmation
    overlap = any(spans_overlap(left, right) for left in first.spans for right in second.spans)
    return overlap or equivalent_texts(first.span.text, second.span.text)


def spans_overlap(first: Span, second: Span) -> bool:
    """Whether two spans share characters of one source, even in different passages."""
    return (
        first.passage.source == second.passage.source
        and first.passage.start + first.start < second.passage.start + second.end
        and second.passage.start + second.start < first.passage.start + first.end
    )


def _words(text: str) -> list[str]:
    """The normalised words without leading prepositions, numbers below 1,000 in digits."""
    remaining = _normalised(text)
    while len(remaining) > 1 and remaining[0] in _LINKS:
        remaining = remaining[1:]
    result: list[str] = []
    for is_number, group in groupby(remaining, key=_spells_number):
        words = list(group)
        result += [str(_number(" ".join(words)))] if is_number else words
    return result


def _normalised(text: str) -> list[str]:
    """The normalised words, with the point of a decimal kept, so that 3.5 differs from 35."""
    return tokens(_POINT.sub("·", text.replace("-", " ")))


def _spells_number(word: str) -> bool:
    return word not in _SCALES and not word.isdigit() and _number(word) is not None


def _number(text: str) -> int | float | None:
    """The number that a text spells, None if some of its words are no number words."""
    try:
        words = _normalised(text)
        numbers = [words_to_number(word) for word in words if word != "and"]
        return words_to_number(" ".join(words)) if numbers else None
    except ValueError:
        return None


def _contains(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    size = len(shorter)
    return any(longer[at : at + size] == shorter for at in range(len(longer) - size + 1))


def _head(text: str) -> str:
    """The head of a phrase: its last word before a preposition or an apposition."""
    words = _words(_APPOSITION.split(text, maxsplit=1)[0]) or _words(text)
    end = next((at for at, word in enumerate(words) if at and word in _LINKS), len(words))
    return words[end - 1]
