"""How a question, its history and a passage become one sequence for the reader; needs no PyTorch.

    [CLS] q [unused1] a [unused0] q [unused1] a [unused2] question [unused3] found [SEP]
    heading [unused4] passage [SEP]

Oldest turn first. Word embeddings stay frozen, so every separator and every marked passage token
also carries a *mark*, whose embedding is trained; previous answers are marked in the passage by
how many turns ago they were given, as in QuAC's BiDAF++ w/ k-ctx (Choi et al., 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Logits = NDArray[np.float32]
AnswerType = Literal["span", "yes", "no", "no answer", "end"]

ANSWER_TYPES: tuple[AnswerType, ...] = ("span", "yes", "no", "no answer", "end")
CONTINUATIONS = ("follow up", "maybe", "don't")

CLS, SEP = 101, 102
TURN, REPLY, QUESTION, FOUND, HEADING = 1, 2, 3, 4, 5  # [unused0] to [unused4]

MARKED_TURNS = 3
MARKS = 1 + MARKED_TURNS + 5  # none, an answer given 1, 2 or 3 turns ago, the five separators

HISTORY_LIMIT = 64
QUESTION_LIMIT = 48
FOUND_LIMIT = 32
HEADING_LIMIT = 16
REPLY_LIMIT = 20

UNANSWERED = "no answer"  # what the history shows in place of an answer that wasn't found


@dataclass(frozen=True, slots=True)
class QuestionSide:
    """The question side in word pieces: history oldest first, and the answers found so far."""

    question: tuple[int, ...]
    history: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    found: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PassageSide:
    """The passage side in word pieces; `given` are token spans of earlier answers, newest first."""

    passage: tuple[int, ...]
    heading: tuple[int, ...] = ()
    given: tuple[tuple[int, int] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """One input: token ids, segments (0 asked, 1 read), marks, and where the passage begins."""

    ids: list[int]
    segments: list[int]
    marks: list[int]
    passage_start: int


def mark_of(separator: int) -> int:
    """The mark that a separator token carries."""
    return MARKED_TURNS + separator


def lay_out(asked: QuestionSide, read: PassageSide) -> Layout:
    """One sequence of the question side and the passage side."""
    front = [CLS, *_history(asked), QUESTION, *asked.question[:QUESTION_LIMIT], *_found(asked), SEP]
    heading = [*read.heading[:HEADING_LIMIT], HEADING] if read.heading else []
    ids = [*front, *heading, *read.passage, SEP]
    marks = [mark_of(token) if TURN <= token <= HEADING else 0 for token in ids]
    passage_start = len(front) + len(heading)
    for distance, span in enumerate(read.given[:MARKED_TURNS], start=1):
        for position in range(*(span or (0, 0))):
            # A span given twice keeps the mark of its newest turn.
            marks[passage_start + position] = marks[passage_start + position] or distance
    segments = [0] * len(front) + [1] * (len(ids) - len(front))
    return Layout(ids, segments, marks, passage_start)


def _history(asked: QuestionSide) -> list[int]:
    """The newest turns that fit, oldest first."""
    tokens: list[int] = []
    for question, reply in reversed(asked.history):
        turn = [TURN, *question[:QUESTION_LIMIT], REPLY, *reply[:REPLY_LIMIT]]
        if len(tokens) + len(turn) > HISTORY_LIMIT:
            break
        tokens = turn + tokens
    return tokens


def _found(asked: QuestionSide) -> list[int]:
    tokens: list[int] = []
    for answer in asked.found:
        tokens += [FOUND, *answer[:REPLY_LIMIT]]
    return tokens[:FOUND_LIMIT]


def through(read: PassageSide, window: tuple[int, int]) -> PassageSide:
    """The passage side as seen through a window; earlier answers are cut to what is in sight."""
    left, right = window

    def seen(span: tuple[int, int] | None) -> tuple[int, int] | None:
        if span is None:
            return None
        start, end = max(span[0], left), min(span[1], right)
        return (start - left, end - left) if start < end else None

    return PassageSide(
        read.passage[left:right], read.heading, tuple(seen(span) for span in read.given)
    )


def windows(length: int, size: int, stride: int) -> Sequence[tuple[int, int]]:
    """Token windows that cover a passage, each `size` long, a `stride` apart.

    >>> windows(10, size=6, stride=3)
    [(0, 6), (3, 9), (4, 10)]
    """
    if length <= size:
        return [(0, length)]
    starts = [*range(0, length - size, stride), length - size]
    return [(start, start + size) for start in starts]


def best_spans(
    start: Logits,
    end: Logits,
    passage: tuple[int, int],
    *,
    longest: int,
    count: int = 1,
    lines: Sequence[int] | None = None,
) -> list[tuple[int, int, float]]:
    """The highest starts and ends within the passage's tokens, best first, none over another.

    First and last token, at most `longest` tokens together, and the sum of their logits. `lines`
    numbers the line of each passage token; no span runs over a line's end.
    """
    left, right = passage
    sums = start[left:right, None] + end[None, left:right]  # (tokens, tokens)
    apart = np.arange(right - left)[None, :] - np.arange(right - left)[:, None]
    allowed = (apart >= 0) & (apart < longest)
    if lines is not None:
        allowed &= np.equal.outer(lines, lines)
    sums = np.where(allowed, sums, -np.inf)
    found: list[tuple[int, int, float]] = []
    while len(found) < count and np.isfinite(sums.max(initial=-np.inf)):
        first, last = map(int, np.unravel_index(int(sums.argmax()), sums.shape))
        found.append((left + first, left + last, float(sums[first, last])))
        sums[: last + 1, first:] = -np.inf  # every span that shares a token with this one
    return found
