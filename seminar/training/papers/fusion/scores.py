"""How good a set of answers is: precision, recall and F1 by question (AmbigPrompt, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.metrics.official.ambigqa import matches

Answers = Sequence[Sequence[str]]  # each answer a list of aliases


@dataclass(frozen=True, slots=True)
class SetScores:
    """Averages over questions, in percent, and how many answers were given to each."""

    f1: float
    precision: float
    recall: float
    answers: float


def set_scores(gold: Sequence[Answers], given: Sequence[Sequence[str]]) -> SetScores:
    """Each answer counts once; without answers the precision is 0.

    >>> set_scores([[["x"], ["y"]]], [["x", "z"]])
    SetScores(f1=50.0, precision=50.0, recall=50.0, answers=2.0)
    """
    scores = [_score(*pair) for pair in zip(gold, given, strict=True)]
    f1, precision, recall = (
        round(100 * sum(one[at] for one in scores) / max(1, len(scores)), 2) for at in range(3)
    )
    answers = sum(map(len, given)) / max(1, len(given))
    return SetScores(f1, precision, recall, round(answers, 2))


def _score(gold: Answers, given: Sequence[str]) -> tuple[float, float, float]:
    free = list(given)
    for aliases in gold:
        match = next((answer for answer in free if matches(aliases, answer)), None)
        if match is not None:
            free.remove(match)
    right = len(given) - len(free)
    precision, recall = right / max(1, len(given)), right / max(1, len(gold))
    return 2 * right / max(1, len(given) + len(gold)), precision, recall
