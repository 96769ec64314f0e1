"""Reading less: the stretches of the hits that are worth a reader's time, by their words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.reading.evidence import coverage, kind_agreement, rarities, terms
from seminar.text import count_words, sentences
from seminar.types import Hit, Passage, Query

HISTORY_WEIGHT = 0.5  # what was said before helps to find the place, but isn't what is asked


@dataclass(frozen=True, slots=True)
class Region:
    """Characters start:end of a passage, whole sentences, and how many of the words it shares.

    `coverage` is the share of the question's terms that the passage has with its heading, and
    `best` that of the best hit: low where the files speak of something else.
    """

    passage: Passage
    start: int
    end: int
    rank: int
    coverage: float
    best: float

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The terms of a question and of its history, with how telling each is among the hits."""

    question: str
    asked: set[str]
    searched: set[str]
    rarity: dict[str, float]

    def covered(self, text: set[str]) -> float:
        """The share of the terms that a text has, between 0 and 1."""
        own = coverage(self.asked, text, self.rarity)
        history = coverage(self.searched, text, self.rarity)
        return (own + HISTORY_WEIGHT * history) / (1 + HISTORY_WEIGHT)


def narrow(query: Query, hits: Sequence[Hit], *, regions: int, size: int) -> list[Region]:
    """One region of about `size` words for each of the most promising hits, in their order."""
    question = query.question or query.text
    rarity = rarities(hit.passage.searched for hit in hits)
    wanted = _Wanted(question, terms(question), terms(query.text), rarity)
    covered = [wanted.covered(terms(hit.passage.searched)) for hit in hits]
    promise = [share + 0.5 / (rank + 1) for rank, share in enumerate(covered, start=1)]
    chosen = sorted(sorted(range(len(hits)), key=lambda at: -promise[at])[:regions])
    return [
        Region(passage, *bounds, rank=at + 1, coverage=covered[at], best=max(covered))
        for at in chosen
        for passage in [hits[at].passage]
        for bounds in [_bounds(passage, wanted, size)]
        if bounds[0] < bounds[1]
    ]


def _bounds(passage: Passage, wanted: _Wanted, size: int) -> tuple[int, int]:
    """The best sentence with as many of its neighbours as fit, after it and before it in turn."""
    spans = sentences(passage.text)
    if not spans:
        return 0, 0
    lengths = [count_words(passage.text[start:end]) for start, end in spans]
    if sum(lengths) <= size:
        return spans[0][0], spans[-1][1]
    first = last = _most_promising(passage, spans, wanted)
    room = size - lengths[first]
    while True:
        after = last + 1 < len(spans) and lengths[last + 1] <= room
        before = first > 0 and lengths[first - 1] <= room
        if not after and not before:
            return spans[first][0], spans[last][1]
        if after:
            last += 1
            room -= lengths[last]
        if first > 0 and lengths[first - 1] <= room:
            first -= 1
            room -= lengths[first]


def _most_promising(passage: Passage, spans: Sequence[tuple[int, int]], wanted: _Wanted) -> int:
    texts = [passage.text[start:end] for start, end in spans]
    bags = [terms(text) for text in texts]
    before: list[set[str]] = [set(), *bags[:-1]]
    scores = [
        wanted.covered(own)
        + wanted.covered(own | previous)
        + 0.2 * kind_agreement(wanted.question, text)
        for own, previous, text in zip(bags, before, texts, strict=True)
    ]
    return scores.index(max(scores))
