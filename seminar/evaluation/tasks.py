"""The measures of a dataset: columns, and what one question scores in each.

A measure that doesn't apply to a question is left out of its measures; a score is the mean over
the questions that have it, as the official programs average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from seminar.evaluation.predictions import Prediction
from seminar.examples import Example
from seminar.metrics.measures.overlap import TurnScore, score_turn

Measures = dict[str, float]
Measure = Callable[[Example, Prediction], Measures]

EXACT_AND_F1 = ("EM", "F1")


@dataclass(frozen=True, slots=True)
class Task:
    """Columns in order, and the function that measures one question, 0 to 1.

    `no_answer` is the text of a prediction without an answer. `dialogs` holds measures of whole
    dialogs: the share of them in which another measure is full on every question.
    """

    columns: tuple[str, ...]
    measure: Measure
    no_answer: str = ""
    scale: float = 100.0
    decimals: int = 1
    dialogs: Mapping[str, str] = field(default_factory=dict)


def measure_turn(example: Example, prediction: Prediction) -> Measures:
    """Exact match and F1, leave-one-out (CoQA, TopiOCQA)."""
    return exact_and_f1(score_turn(prediction.answer, example.gold.answers))


def exact_and_f1(score: TurnScore) -> Measures:
    """The columns of a score with exact match and F1."""
    return {"EM": score.exact, "F1": score.f1}


def recall_at(cutoffs: Sequence[int], relevant: Sequence[bool], name: str = "R@") -> Measures:
    """Whether one of the first k is relevant, for each cutoff k.

    >>> recall_at((1, 2), [False, True])
    {'R@1': 0.0, 'R@2': 1.0}
    """
    return {f"{name}{k}": float(any(relevant[:k])) for k in cutoffs}
