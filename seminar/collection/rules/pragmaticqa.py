"""The rounds of a PragmatiCQA dialog and what each holds (Qi et al., 2023, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from seminar.collection.records import RATINGS, LiteralAnswer, PragmaticAnswer

LEAST_ROUNDS = 6
BEST, WORST = 1, 5  # of a rating


def may_leave(rounds: int) -> bool:
    """Whether either worker may leave with full pay."""
    return rounds >= LEAST_ROUNDS


def rounds_left(rounds: int) -> int:
    """How many rounds are missing until both may leave."""
    return max(0, LEAST_ROUNDS - rounds)


def is_complete(rounds: int) -> bool:
    """Whether a dialog counts as completed."""
    return rounds >= LEAST_ROUNDS


def answer_faults(answer: PragmaticAnswer) -> tuple[str, ...]:
    """What a teacher's answer lacks, step by step; none in one that may be sent.

    There may be nothing that the student would want to know next: step 2 may be empty.
    """
    faults = []
    if answer.literal and answer.literal_answer is not None:
        faults.append("select spans, or answer yes, no or don't know: not both")
    if not answer.literal and answer.literal_answer is None:
        faults.append("select the words that answer the question, or yes, no or don't know")
    if answer.literal_answer not in (None, *get_args(LiteralAnswer)):
        faults.append(f"'{answer.literal_answer}' is none of yes, no, don't know")
    if not answer.text.strip():
        faults.append("say the answer in your own words")
    return tuple(faults)


def rating_faults(ratings: Mapping[str, int]) -> tuple[str, ...]:
    """Which of the five ratings are missing or out of range."""
    faults = [f"rate '{name}'" for name in RATINGS if name not in ratings]
    faults += [f"no rating is called '{name}'" for name in ratings if name not in RATINGS]
    faults += [
        f"rating '{name}' is {value}; it goes from {BEST} (best) to {WORST}"
        for name, value in ratings.items()
        if name in RATINGS and not BEST <= value <= WORST
    ]
    return tuple(faults)
