"""QAConv's gold chunks, found again among segments where the official file of chunks isn't there.

A question names its conversations and the number of its chunk. Chunks were numbered in order, and
every one of them was asked about, so that the numbers of a conversation's questions tell which
part of it a chunk is. The gold segments are those about there that contain a reference answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from seminar.datasets.catalog import load, passages, threads
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example
from seminar.ingestion.segments import MAX_TOKENS, SHORT_TOKENS, combine, split
from seminar.metrics.measures.normalisation import tokens
from seminar.types import Passage, Thread

SPLITS = ("trn", "val", "tst")
# Chunks that a place may be off by: of 2,270 answers that occur once in their hearing, 9 in 10 lie
# no further than this from the part that the chunk's number tells.
SLACK = 2

Stretch = tuple[float, float]


def cut(
    threads: Iterable[Thread], *, limit: int = MAX_TOKENS, short: int = SHORT_TOKENS
) -> Iterator[Passage]:
    """The segments that ingestion would make, each with a source of its own to be ranked by.

    Short threads of one channel are joined, as QAConv's authors join those of Slack.
    """
    places = (replace(thread, title=thread.channel) for thread in threads)
    for thread in combine(places, short=short):
        for segment in split(thread, limit=limit):
            yield replace(segment, source=segment.id)


def load_split(name: str, root: Path | None) -> Iterator[Example]:
    """The examples of a split; those of QAConv with the gold segments found, if they must be."""
    dataset, _, part = name.partition("/")
    if dataset != "qaconv" or "-" not in part or official_chunks(root):
        return load(name, root)
    return _located(part, root)


def official_chunks(root: Path | None) -> list[Passage]:
    """The chunks of the official file, none where it isn't there."""
    try:
        return list(passages("qaconv", root))
    except DatasetError:
        return []


def chunks_of(root: Path | None) -> tuple[list[Passage], bool]:
    """The official chunks, or those cut from the conversations that are there; whether official."""
    official = official_chunks(root)
    return (official, True) if official else (list(cut(threads("qaconv", root))), False)


def _located(name: str, root: Path | None) -> Iterator[Example]:
    part, _, mode = name.partition("-")
    examples = list(load(f"qaconv/{part}-full", root))
    others = [one for other in SPLITS if other != part for one in _asked(other, root)]
    places = Places(threads("qaconv", root), [*examples, *others])
    for example in examples:
        gold = places.gold(example)
        chunk = gold[:1] or places.nearest(example)
        found = chunk if mode == "chunk" else gold
        yield replace(
            example,
            context=chunk[0].text if mode == "chunk" and chunk else example.context,
            gold=replace(
                example.gold, evidence=tuple(Evidence(one.text, one.source) for one in found)
            ),
        )


def _asked(part: str, root: Path | None) -> list[Example]:
    """The questions of a split, none where its file isn't there."""
    try:
        return list(load(f"qaconv/{part}-full", root))
    except DatasetError:
        return []


@dataclass(frozen=True, slots=True)
class _Held:
    """A segment and the part of a conversation, in characters of it, that the segment holds."""

    segment: Passage
    stretch: Stretch


class Places:
    """Where the chunks of conversations lie among the segments of these."""

    def __init__(self, conversations: Iterable[Thread], asked: Iterable[Example]) -> None:
        known = list(conversations)
        self._lengths = {thread.source: len(thread.text) for thread in known}
        said = {(t.source, u.key): (u.start, u.end) for t in known for u in t.utterances}
        self._held: dict[str, list[_Held]] = defaultdict(list)
        for segment in cut(known):
            for source in dict.fromkeys(one.source for one in segment.utterances):
                own = [said[source, u.key] for u in segment.utterances if u.source == source]
                stretch = (min(start for start, _ in own), max(end for _, end in own))
                self._held[source].append(_Held(segment, stretch))
        numbers: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for example in asked:
            numbers[_conversations(example)].add(_number(example))
        self._numbers = {sources: sorted(found) for sources, found in numbers.items()}

    def gold(self, example: Example) -> list[Passage]:
        """The segments about the chunk's place that contain an answer, the nearest first."""
        answers = [_flat(answer) for answer in example.gold.answers]
        return [
            segment
            for segment, off in self._near(example)
            if off <= SLACK and any(answer in _flat(segment.text) for answer in answers)
        ]

    def nearest(self, example: Example) -> list[Passage]:
        """The segment at the chunk's place, whatever it says."""
        return [one for one, _ in self._near(example)][:1]

    def _near(self, example: Example) -> list[tuple[Passage, float]]:
        """The segments of the example's conversations with how many chunks they are off."""
        sources = _conversations(example)
        numbers = self._numbers[sources]
        size = sum(self._lengths[source] for source in sources) / len(numbers)
        middle = (numbers.index(_number(example)) + 0.5) * size
        found: dict[str, tuple[Passage, float]] = {}
        before = 0
        for source in sources:
            for held in self._held[source]:
                left, right = (before + edge for edge in held.stretch)
                off = max(0.0, left - middle, middle - right) / size
                known = found.get(held.segment.source)
                if known is None or off < known[1]:
                    found[held.segment.source] = (held.segment, off)
            before += self._lengths[source]
        return sorted(found.values(), key=lambda pair: (pair[1], pair[0].source))


def _conversations(example: Example) -> tuple[str, ...]:
    return tuple(sorted(example.sources))


def _number(example: Example) -> int:
    return int(example.gold.evidence[0].source.rpartition("-")[2])


def _flat(text: str) -> str:
    """The normalised words of a text, each between spaces."""
    return f" {' '.join(tokens(text))} "
