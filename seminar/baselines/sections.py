"""QuAC's sections in sentences: the candidates among which most baselines choose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from seminar.examples import Example
from seminar.metrics.official.quac import (
    CANNOT_ANSWER,
    QuacPrediction,
    answer_f1,
    resolve_cannot_answer,
)
from seminar.text import sentences


def section_text(example: Example) -> str:
    """The section without the word that official files put at its end for no answer."""
    return example.context.removesuffix(CANNOT_ANSWER).rstrip()


def sentences_of(example: Example) -> tuple[str, ...]:
    """The sentences of the section."""
    return _split(section_text(example))


@lru_cache(maxsize=64)  # the turns of a dialog come one after the other and share their section
def _split(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentences(text))


def best_sentence(example: Example) -> int | None:
    """The first of the sentences with the highest F1, or None where there is no answer."""
    references = resolve_cannot_answer(example.gold.answers)
    candidates = sentences_of(example)
    if references == [CANNOT_ANSWER] or not candidates:
        return None
    scores = [answer_f1(sentence, references) for sentence in candidates]
    return scores.index(max(scores))


def answer_alone(text: str) -> QuacPrediction:
    """A prediction without dialog acts: no letter is ever right."""
    return QuacPrediction(text, yesno="", followup="")


def pick(candidates: Sequence[str], number: int | None) -> QuacPrediction:
    """The candidate as the answer, or no answer."""
    return answer_alone(CANNOT_ANSWER if number is None else candidates[number])
