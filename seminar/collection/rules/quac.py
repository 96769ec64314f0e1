"""When a QuAC dialog ends, and which are kept (Choi et al., 2018, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seminar.collection.records import SpanAnswer, Turn

MOST_QUESTIONS = 12
MOST_UNANSWERABLE = 2
LEAST_QUESTIONS = 3
ANNOTATIONS = 4  # further ones of each question in the evaluation sets

End = Literal["", "12 questions", "more than 2 unanswerable"]


def end_of(turns: Sequence[Turn]) -> End:
    """Why a dialog with these answered questions is over; "" where it goes on.

    Either partner may end it at any time besides.
    """
    if len(turns) >= MOST_QUESTIONS:
        return "12 questions"
    unanswerable = sum(_is_unanswerable(turn) for turn in turns)
    return "more than 2 unanswerable" if unanswerable > MOST_UNANSWERABLE else ""


def is_kept(turns: Sequence[Turn]) -> bool:
    """Whether a dialog has enough questions not to be discarded."""
    return len(turns) >= LEAST_QUESTIONS


def _is_unanswerable(turn: Turn) -> bool:
    return isinstance(turn.answer, SpanAnswer) and turn.answer.span is None
