"""MRecall@k (Min et al., 2021): whether the first k results cover all answers of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.metrics.measures.containment import has_answer
from seminar.metrics.strictness import fault


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of an annotation's answers the first k passages hold."""

    covered: int
    answers: int
    k: int

    @property
    def mrecall(self) -> float:
        """1 if all answers are covered, or k of them where there are more than k."""
        return float(self.covered >= min(self.answers, self.k))

    @property
    def recall(self) -> float:
        """1 if any answer is covered."""
        return float(self.covered > 0)


def mrecall_ids(
    gold: Sequence[str], predicted: Sequence[str], *, k: int, strict: bool = False
) -> float:
    """1 if the first k predicted ids hold all the gold ones, or k of them; nothing predicted is 0.

    >>> mrecall_ids(["a", "b", "c"], ["b", "a"], k=2)
    1.0
    """
    covered = _count_covered(gold, predicted, k, strict=strict)
    return float(bool(predicted) and covered == min(k, len(gold)))


def recall_ids(
    gold: Sequence[str],
    predicted: Sequence[str],
    *,
    k: int,
    capped: bool = False,
    strict: bool = False,
) -> float:
    """The share of the gold ids among the first k; capped, at most k are expected."""
    covered = _count_covered(gold, predicted, k, strict=strict)
    if not predicted:
        return 0.0
    if not gold:
        raise fault(ZeroDivisionError, "no gold ids to look for", strict=strict)
    return covered / (min(k, len(gold)) if capped else len(gold))


def _count_covered(gold: Sequence[str], predicted: Sequence[str], k: int, *, strict: bool) -> int:
    """How many different gold ids are among the first k."""
    _check_depth(k, strict=strict)
    return len(set(predicted[:k]).intersection(gold))


def cover(
    answers: Sequence[Sequence[str]], passages: Sequence[str], *, k: int, strict: bool = False
) -> Coverage:
    """How many answers, each a list of aliases, the first k passages hold as strings."""
    _check_depth(k, strict=strict)
    covered = sum(any(has_answer(aliases, text) for text in passages[:k]) for aliases in answers)
    return Coverage(covered=covered, answers=len(answers), k=k)


def mrecall_strings(
    annotations: Sequence[Sequence[Sequence[str]]],
    passages: Sequence[str],
    *,
    k: int,
    strict: bool = False,
) -> float:
    """1 if the first k passages cover the answers of any annotation.

    >>> mrecall_strings([[["Rome", "Roma"], ["Paris"]]], ["from Roma", "to Paris"], k=5)
    1.0
    """
    if not annotations:
        raise fault(ValueError, "a question without annotations can't be scored", strict=strict)
    return max(cover(answers, passages, k=k, strict=strict).mrecall for answers in annotations)


def _check_depth(k: int, *, strict: bool) -> None:
    """Stop at a depth that holds no result."""
    if k <= 0:
        raise fault(AssertionError, f"k must be 1 or more, not {k}", strict=strict)
