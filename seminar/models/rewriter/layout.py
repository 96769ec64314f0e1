"""The rewriter's input and how its logits are read as edits; needs no PyTorch.

[CLS] title section question answer question answer [SEP] question [SEP]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seminar.models.rewriter.edits import Edit, Word, words_of

Logits = NDArray[np.float32]
Split = Callable[[str], Sequence[int]]

CLS, SEP = 101, 102
TITLE, ASKED, ANSWERED = 1, 2, 3  # marks
HISTORY_WORDS, ANSWER_WORDS, TITLE_WORDS = 140, 36, 16
LONGEST_COPY = 14
BREAK = Word(".", spaced=False)


@dataclass(frozen=True, slots=True)
class HistoryWords:
    """What may be copied from, title first and then the newest turns that fit, oldest first."""

    words: tuple[Word, ...]
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EditLayout:
    """One input, and the tokens at which each word begins and ends.

    `places` are the question's words and, last, the [SEP] that stands for its end.
    """

    ids: list[int]
    segments: list[int]
    marks: list[int]
    starts: list[int]
    ends: list[int]
    places: list[int]


@dataclass(frozen=True, slots=True)
class EditLogits:
    """The network's output for one input: (tokens, choices), the pointers (tokens, tokens)."""

    drop: Logits
    insert: Logits
    before: Logits
    after: Logits
    start: Logits
    end: Logits


def history_words(title: str, section: str, turns: Sequence[tuple[str, str]]) -> HistoryWords:
    """The history's words with a mark for where each comes from."""
    head = [(word, TITLE) for text in (title, section) for word in _sentence(text, TITLE_WORDS)]
    newest: list[tuple[Word, int]] = []
    for question, answer in reversed(turns):
        turn = [(word, ASKED) for word in _sentence(question, ANSWER_WORDS)]
        turn += [(word, ANSWERED) for word in _sentence(answer, ANSWER_WORDS)]
        if len(head) + len(newest) + len(turn) > HISTORY_WORDS:
            break
        newest = turn + newest
    both = [*head, *newest]
    return HistoryWords(tuple(word for word, _ in both), tuple(mark for _, mark in both))


def _sentence(text: str, limit: int) -> list[Word]:
    """The first words of a text, ended so that no copy runs on into the next one."""
    words = words_of(text)[:limit]
    return [*words, BREAK] if words else []


def lay_out_edits(history: HistoryWords, question: Sequence[Word], split: Split) -> EditLayout:
    """One sequence of the history and the question."""
    ids, marks, starts, ends = [CLS], [0], [], []
    for word, mark in zip(history.words, history.marks, strict=True):
        pieces = split(word.text)
        starts.append(len(ids))
        ids += pieces
        marks += [mark] * len(pieces)
        ends.append(len(ids) - 1)
    ids.append(SEP)
    boundary, places = len(ids), []
    for word in question:
        places.append(len(ids))
        ids += split(word.text)
    places.append(len(ids))
    ids.append(SEP)
    marks += [0] * (len(ids) - len(marks))
    segments = [0] * boundary + [1] * (len(ids) - boundary)
    return EditLayout(ids, segments, marks, starts, ends, places)


def decode(
    logits: EditLogits, layout: EditLayout, phrases: Sequence[tuple[str, ...]]
) -> list[Edit]:
    """The edits that the logits ask for."""
    count = len(layout.places) - 1
    dropped = [bool(logits.drop[at, 1] > logits.drop[at, 0]) for at in layout.places[:count]]
    edits: list[Edit] = []
    position = 0
    for number, at in enumerate(layout.places):
        if number < position:
            continue
        inserted = bool(logits.insert[at, 1] > logits.insert[at, 0])
        end = number
        while end < count and dropped[end]:
            end += 1
        edit = Edit(number, end)
        if inserted:
            edit = _insertion(logits, layout, number, end, phrases)
        if edit.copied or edit.before or edit.after or (inserted and end > number):
            edits.append(edit)
            position = end
    return edits


def _insertion(
    logits: EditLogits,
    layout: EditLayout,
    number: int,
    end: int,
    phrases: Sequence[tuple[str, ...]],
) -> Edit:
    at = layout.places[number]
    before, after = (phrases[int(row[at].argmax())] for row in (logits.before, logits.after))
    copied = best_copy(logits.start[at], logits.end[at], layout)
    return Edit(number, end, before, copied, after if copied else ())


def best_copy(start: Logits, end: Logits, layout: EditLayout) -> tuple[int, int] | None:
    """The history words with the best start and end, unless copying nothing scores higher."""
    best, score = None, float(start[0] + end[0])
    for first, left in enumerate(layout.starts):
        for last in range(first, min(first + LONGEST_COPY, len(layout.ends))):
            if start[left] + end[layout.ends[last]] > score:
                score = float(start[left] + end[layout.ends[last]])
                best = (first, last + 1)
    return best
