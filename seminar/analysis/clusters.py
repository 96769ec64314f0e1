"""Questions that got no answer, in groups of alike ones: what the files lack."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seminar.text import words
from seminar.types import SEPARATOR

LIMIT = 3_000  # questions that are compared, the latest; every two of them are
ALIKE = 0.35  # cosine of word weights from which questions belong together
NAMED = 4  # words that name a group
# Words that say how a question asks, not what about.
ASKING = frozenset(
    "what which who whom whose when where why how is are was were be been do does did can could "
    "will would should has have had the a an of in on at to for from with by and or not any there "
    "this that these those it its they them he she his her their you your i me my we our us tell "
    "about more please much many long give name know say said anything something".split()
)

Floats = NDArray[np.float64]


def group_questions(questions: Sequence[str]) -> pd.DataFrame:
    """Groups of alike questions, the largest first: their number, their words, and examples.

    The middle of a group is the question with the most neighbours; a question joins the first
    group whose middle shares enough of its words, rare words counting more (cosine of TF-IDF).
    """
    columns = ["questions", "words", "example", "others"]
    asked = [question.rpartition(SEPARATOR)[2] for question in questions][-LIMIT:]
    bags = [_content(question) for question in asked]
    if not any(bags):
        rows = [(1, "", question, "") for question in asked]
        return pd.DataFrame(rows, columns=columns)
    vectors = _weigh(bags)
    groups = _cover(vectors @ vectors.T)
    rows = [_group([asked[at] for at in group], [bags[at] for at in group]) for group in groups]
    return pd.DataFrame(rows, columns=columns)


def _content(question: str) -> list[str]:
    """The words that say what a question is about, in the plain form of a plural.

    >>> _content("Where are the opening hours?")
    ['hour', 'opening']
    """
    found = {question[start:end].lower() for start, end in words(question)} - ASKING
    return sorted({_singular(word) for word in found if len(word) > 1 or word.isdigit()})


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _weigh(bags: Sequence[Sequence[str]]) -> Floats:
    """Unit vectors of word weights; a question without content words is all zeros."""
    frequency = Counter(word for bag in bags for word in bag)
    place = {word: at for at, word in enumerate(frequency)}
    vectors = np.zeros((len(bags), len(place)))  # (questions, words)
    for row, bag in enumerate(bags):
        for word in bag:
            vectors[row, place[word]] = math.log(1 + len(bags) / frequency[word])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def _cover(alike: Floats) -> list[list[int]]:
    """Groups around the questions with the most neighbours that are still free; middle first."""
    near = alike >= ALIKE
    np.fill_diagonal(near, val=True)
    free = np.ones(len(near), dtype=bool)
    counts = near.sum(axis=1).astype(np.int64)
    groups = []
    while free.any():
        middle = int(np.argmax(np.where(free, counts, -1)))
        members = np.flatnonzero(near[middle] & free)
        ordered = sorted(members, key=lambda at: (at != middle, -alike[middle, at]))
        groups.append([int(at) for at in ordered])
        free[members] = False
        counts -= near[:, members].sum(axis=1)
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _group(questions: Sequence[str], bags: Sequence[Sequence[str]]) -> tuple[int, str, str, str]:
    common = Counter(word for bag in bags for word in bag)
    shared = [word for word, number in common.most_common() if 2 * number > len(bags)]
    words = (shared or [word for word, _ in common.most_common()])[:NAMED]
    others = list(dict.fromkeys(question for question in questions[1:] if question != questions[0]))
    return len(questions), ", ".join(words), questions[0], " · ".join(others[:5])
