"""What QuAC's feature-rich baseline sees of a candidate sentence: matches, position, history."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seminar.baselines.sections import section_text, sentences_of
from seminar.examples import Example
from seminar.metrics.measures.normalisation import tokens

Features = NDArray[np.float64]
Ngrams = tuple[frozenset[tuple[str, ...]], ...]

ORDERS = (1, 2, 3)
LONGEST_DIALOG = 12
MATCHES = tuple(
    f"{what}: {order}-grams of the {side} in the {other}"
    for what in ("question", "last question", "last answer")
    for order in ORDERS
    for side, other in ((what, "sentence"), ("sentence", what))
)
NAMES = (
    *MATCHES,
    "position",
    "first sentence",
    "length",
    "same sentence as the last answer",
    "next sentence after the last answer",
    "distance from the last answer",
    "said before",
    "position, by turn",
    "no answer",
    "no answer, by turn",
    "no answer, by the best match of a sentence",
    "no answer, after no answer",
)


@lru_cache(maxsize=1024)  # the sentences of a section come again with every turn of its dialog
def ngrams(text: str) -> Ngrams:
    """The sets of word sequences of one, two and three words."""
    row = tokens(text)
    return tuple(
        frozenset(tuple(row[at : at + order]) for at in range(len(row) - order + 1))
        for order in ORDERS
    )


def matches(left: Ngrams, right: Ngrams) -> list[float]:
    """For each order, the share of one text's n-grams that the other has, both ways."""
    shares: list[float] = []
    for mine, theirs in zip(left, right, strict=True):
        shared = len(mine & theirs)
        shares += [shared / max(1, len(mine)), shared / max(1, len(theirs))]
    return shares


def candidate_features(example: Example) -> Features:
    """A row for each sentence of the section, and a last one for no answer, columns as NAMES."""
    candidates = sentences_of(example)
    last_question, last_answer = example.history[-1] if example.history else ("", "")
    texts = [ngrams(text) for text in (example.question, last_question, last_answer)]
    rows = [[matches(text, ngrams(sentence)) for text in texts] for sentence in candidates]
    best = max((row[0][0] for row in rows), default=0.0)
    turn = example.turn / LONGEST_DIALOG
    last = _sentence_of(example, last_answer, candidates)
    earlier = {_sentence_of(example, answer, candidates) for _, answer in example.history}

    table = np.zeros((len(candidates) + 1, len(NAMES)))
    for number, row in enumerate(rows):
        table[number, : len(MATCHES)] = [share for text in row for share in text]
        position = number / len(candidates)
        step = None if last is None else number - last
        table[number, len(MATCHES) : -4] = [
            position,
            number == 0,
            math.log1p(len(candidates[number].split())),
            step == 0,
            step == 1,
            0.0 if step is None else abs(step) / len(candidates),
            number in earlier,
            position * turn,
        ]
    table[-1, -4:] = [1.0, turn, best, bool(example.history) and last is None]
    return table


def _sentence_of(example: Example, answer: str, candidates: Sequence[str]) -> int | None:
    """The sentence in which an answer begins; None for no answer and before the first."""
    text = section_text(example)
    start = text.find(answer) if answer else -1
    if start < 0:
        return None
    begins = end = 0
    for number, sentence in enumerate(candidates):
        begins = text.index(sentence, end)
        end = begins + len(sentence)
        if start < end:
            return number
    return None
