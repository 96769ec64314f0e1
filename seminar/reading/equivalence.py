"""Whether two answers are one: the same words, the same number, or the same thing more fully."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.measures.numbers import words_to_number
from seminar.types import Answer, Span

# What begins a phrase that only says more of the thing named before it.
_LINKS = frozenset(
    """
    about after around at before between by circa during for from in into near of on over since
    that through to under until when where which who whose with
    """.split()
)
_APPOSITION = re.compile(r"[;:(\[]|,(?!\s*\d)")  # a comma in a date or a number ends nothing
_MONTHS = frozenset(
    """
    january february march april may june july august september october november december
    """.split()
)
_SCALES = frozenset({"thousand", "million", "billion"})  # written in words after digits too
_POINT = re.compile(r"(?<=\d)[.:](?=\d)")  # of a decimal or a time of day; normalising drops it


def same_answer(one: str, other: str) -> bool:
    """Whether two texts give the same answer.

    The longer may say more of the same thing: it ends with the same date or number, or it holds the
    words of the shorter in a row and both have the same head, the last word before whatever follows
    a preposition or a comma.

    >>> same_answer("Two", "2"), same_answer("in 1911", "4 May 1911")
    (True, True)
    >>> same_answer("3.5 metres", "35 metres"), same_answer("1,000", "1000")
    (False, True)
    >>> same_answer("Barack Obama, the president", "Obama"), same_answer("Rocky", "Rocky II")
    (True, False)
    """
    words, others = _words(one), _words(other)
    if not words or not others:
        return one.strip() == other.strip()
    if words == others or _number(one) == _number(other) is not None:
        return True
    shorter, longer = sorted((words, others), key=len)
    if all(word.isdigit() or word in _MONTHS for word in shorter):
        return longer[-len(shorter) :] == shorter
    return _holds(longer, shorter) and _head(one) == _head(other)


def same(one: Answer, other: Answer) -> bool:
    """Whether two answers are one: told by the same words of a passage, or by equivalent ones."""
    if one.affirmation != "neither" or other.affirmation != "neither":
        return one.affirmation == other.affirmation
    together = any(overlap(left, right) for left in one.spans for right in other.spans)
    return together or same_answer(one.span.text, other.span.text)


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share words of one source, whatever passages they were found in."""
    return (
        one.passage.source == other.passage.source
        and one.passage.start + one.start < other.passage.start + other.end
        and other.passage.start + other.start < one.passage.start + one.end
    )


def _words(text: str) -> list[str]:
    """The normalised words without a preposition before them, numbers below 1,000 in digits."""
    parted = _parted(text)
    while len(parted) > 1 and parted[0] in _LINKS:
        parted = parted[1:]
    made: list[str] = []
    for spelled, run in groupby(parted, key=_spells_number):
        words = list(run)
        made += [str(_number(" ".join(words)))] if spelled else words
    return made


def _parted(text: str) -> list[str]:
    """The normalised words; 3.5 stays apart from 35."""
    return tokens(_POINT.sub("·", text.replace("-", " ")))


def _spells_number(word: str) -> bool:
    return word not in _SCALES and not word.isdigit() and _number(word) is not None


def _number(text: str) -> int | float | None:
    """The number that a text is, where all its words are words of one."""
    try:
        words = _parted(text)
        each = [words_to_number(word) for word in words if word != "and"]
        return words_to_number(" ".join(words)) if each else None
    except ValueError:
        return None


def _holds(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    size = len(shorter)
    return any(longer[at : at + size] == shorter for at in range(len(longer) - size + 1))


def _head(text: str) -> str:
    """The word that the rest of a phrase tells more of."""
    named = _words(_APPOSITION.split(text, maxsplit=1)[0]) or _words(text)
    ends = next((at for at, word in enumerate(named) if at and word in _LINKS), len(named))
    return named[ends - 1]
