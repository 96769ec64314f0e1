"""When a QuAC dialog ends, and which are kept (Choi et al., 2018, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from seminar.collection.records import SpanAnswer, Turn

MOST_QUESTIONS = 12
MOST_UNANSWERABLE = 2
LEAST_QUESTIONS = 3  # dialogs with fewer are discarded
ANNOTATIONS = 4  # further ones of each question in the evaluation sets

End = Literal["", "limit", "unanswerable"]


def end_of(
    turns: Sequence[Turn],
    *,
    most: int = MOST_QUESTIONS,
    most_unanswerable: int = MOST_UNANSWERABLE,
) -> End:
    """Why a dialog with these answered questions is over; "" where it goes on.

    It ends after `most` answers, and after more than `most_unanswerable` without one. Either
    partner may end it at any time besides.
    """
    if len(turns) >= most:
        return "limit"
    return "unanswerable" if unanswerable(turns) > most_unanswerable else ""


def unanswerable(turns: Sequence[Turn]) -> int:
    """How many of the questions the section does not answer."""
    return sum(isinstance(turn.answer, SpanAnswer) and turn.answer.span is None for turn in turns)
