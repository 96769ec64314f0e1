"""QuAC's transition matrix: where the next answer lies, given where the last one lay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seminar.baselines.sections import answer_alone, section_text
from seminar.examples import Example
from seminar.metrics.official.quac import CANNOT_ANSWER, QuacPrediction
from seminar.text import words

CHUNKS = 12
NO_ANSWER = CHUNKS  # the thirteenth place of an answer
START = CHUNKS + 1  # the place before the first answer


@dataclass(frozen=True, slots=True)
class TransitionMatrix:
    """How often an answer in one place was followed by one in another (Choi et al., figure 5b).

    A section is cut into twelve chunks of equal length; no answer is a place of its own, and so is
    the beginning of the dialog. An answer lies in the chunk in which it begins.
    """

    counts: NDArray[np.int64]  # (14 places before, 13 places after)

    @classmethod
    def fit(cls, examples: Iterable[Example]) -> TransitionMatrix:
        """Count the steps of a training set; an answer is its first reference."""
        counts = np.zeros((CHUNKS + 2, CHUNKS + 1), dtype=np.int64)
        for example in examples:
            if example.gold.answers:
                counts[previous_place(example), place(example, example.gold.answers[0])] += 1
        return cls(counts)

    def following(self, previous: int) -> int:
        """The most frequent place after this one; the first of equals."""
        row = self.counts[previous]
        return int(np.argmax(row if row.any() else self.counts.sum(axis=0)))

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """The chunk where the next answer most often lies, as the answer."""
        return [
            answer_alone(chunk_text(example, self.following(previous_place(example))))
            for example in examples
        ]


def previous_place(example: Example) -> int:
    """Where the answer before this question lay."""
    return place(example, example.history[-1][1]) if example.history else START


def place(example: Example, answer: str) -> int:
    """The chunk in which an answer first occurs; an answer that isn't in the section is none."""
    text = section_text(example)
    start = text.find(answer)
    if answer == CANNOT_ANSWER or start < 0 or not text:
        return NO_ANSWER
    return min(CHUNKS * start // len(text), CHUNKS - 1)


def chunk_text(example: Example, number: int) -> str:
    """The words that begin in a chunk, as one stretch of the section."""
    if number == NO_ANSWER:
        return CANNOT_ANSWER
    text = section_text(example)
    within = [(start, end) for start, end in words(text) if CHUNKS * start // len(text) == number]
    return text[within[0][0] : within[-1][1]] if within else CANNOT_ANSWER
