"""Reading less: the stretches of the hits that are worth a reader's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.protocols import Encoder
from seminar.reading.evidence import coverage, kind_agreement, rarities
from seminar.text import count_words, sentences, terms
from seminar.types import SEPARATOR, Hit, Passage, Query

RANK_WEIGHT = 0.5  # of the first hits against the share of the question's words
HISTORY_WEIGHT = 0.5  # what was said before helps to find the place, but isn't what is asked


@dataclass(frozen=True, slots=True)
class Sentence:
    """Characters start:end of a passage, and the share of the question's terms found up to here.

    `coverage` counts the sentence, the one before it and the heading.
    """

    start: int
    end: int
    coverage: float


@dataclass(frozen=True, slots=True)
class Region:
    """Neighbouring sentences of a passage that are worth reading, and why.

    `coverage` is the share of the question's terms that the passage has with its heading, and
    `best` that of the best hit: low where the files speak of something else.
    """

    passage: Passage
    sentences: tuple[Sentence, ...]
    rank: int
    coverage: float
    best: float

    @property
    def start(self) -> int:
        return self.sentences[0].start

    @property
    def end(self) -> int:
        return self.sentences[-1].end

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    def sentence_at(self, place: int) -> Sentence:
        """The sentence that a place of the passage is in, or the next one."""
        return next((one for one in self.sentences if place < one.end), self.sentences[-1])


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


def narrow(
    query: Query,
    hits: Sequence[Hit],
    *,
    regions: int,
    size: int,
    encoder: Encoder | None = None,
) -> list[Region]:
    """One region of about `size` words for each of the most promising hits, in their order.

    Promising is what shares words with the question, stands high in the ranking and, where there
    is an encoder, is near in meaning.
    """
    question = query.typed
    bags = [terms(hit.passage.searched) for hit in hits]
    wanted = _Wanted(question, terms(question), terms(query.text), rarities(bags))
    covered = [wanted.covered(bag) for bag in bags]
    best = max(covered, default=0.0)
    found = [
        Region(hit.passage, kept, hit.rank or place, coverage=share, best=best)
        for place, (hit, share) in enumerate(zip(hits, covered, strict=True), start=1)
        if (kept := _crop(hit.passage, wanted, size))
    ]
    if len(found) <= regions:
        return found
    promise = [one.coverage + RANK_WEIGHT / (one.rank + 1) for one in found]
    if encoder is not None:
        near = nearness(query, [f"{one.passage.title}\n{one.text}" for one in found], encoder)
        promise = [words + meaning for words, meaning in zip(promise, near, strict=True)]
    chosen = sorted(sorted(range(len(found)), key=lambda at: -promise[at])[:regions])
    return [found[at] for at in chosen]


def nearness(query: Query, texts: Sequence[str], encoder: Encoder) -> list[float]:
    """How near each text is to the question as it was searched, by the cosine."""
    # All turns together are near to everything that was said, so the question stands for them.
    asked = query.question if SEPARATOR in query.text else query.text
    vector, *vectors = encoder.encode([asked, *texts])
    return [float(vector @ one) for one in vectors]


def _crop(passage: Passage, wanted: _Wanted, size: int) -> tuple[Sentence, ...]:
    """The best sentence with as many of its neighbours as fit, after it and before it in turn."""
    told = _sentences(passage, wanted)
    lengths = [count_words(passage.text[one.start : one.end]) for one in told]
    if sum(lengths) <= size:
        return tuple(told)
    first = last = _most_promising(passage, told, wanted)
    room = size - lengths[first]
    while True:
        after = last + 1 < len(told) and lengths[last + 1] <= room
        if after:
            last += 1
            room -= lengths[last]
        before = first > 0 and lengths[first - 1] <= room
        if before:
            first -= 1
            room -= lengths[first]
        if not after and not before:
            return tuple(told[first : last + 1])


def _sentences(passage: Passage, wanted: _Wanted) -> list[Sentence]:
    spans = sentences(passage.text)
    bags = [terms(passage.text[start:end]) for start, end in spans]
    heading = terms(passage.heading)
    return [
        Sentence(start, end, wanted.covered(own | before | heading))
        for (start, end), own, before in zip(spans, bags, [set[str](), *bags], strict=False)
    ]


def _most_promising(passage: Passage, told: Sequence[Sentence], wanted: _Wanted) -> int:
    texts = [passage.text[one.start : one.end] for one in told]
    scores = [
        wanted.covered(terms(text)) + one.coverage + 0.2 * kind_agreement(wanted.question, text)
        for one, text in zip(told, texts, strict=True)
    ]
    return scores.index(max(scores))
