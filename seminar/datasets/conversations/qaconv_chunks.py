"""QAConv's chunks: the official ones, or segments among which the gold chunk is located.

A question names its conversations and the number of its chunk. Chunks were numbered in order, and
every one of them was asked about, so the numbers of a conversation's questions give the position
of a chunk in it. The gold segments are those near that position that contain a reference answer.
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

PARTS = ("trn", "val", "tst")
# In chunks, how far a gold segment may be from its position: of 2,270 answers that occur once in
# their hearing, 9 in 10 are no further away.
SLACK = 2

Extent = tuple[float, float]  # in characters of a conversation


def load_chunks(root: Path | None) -> tuple[list[Passage], bool]:
    """The official chunks, or segments of the conversations that are there; whether official."""
    official = _official_chunks(root)
    return (official, True) if official else (list(segments(threads("qaconv", root))), False)


def load_split(name: str, root: Path | None) -> Iterator[Example]:
    """The examples of a split; without the official chunks, QAConv's gold chunks are located."""
    dataset, _, part = name.partition("/")
    if dataset != "qaconv" or "-" not in part or _official_chunks(root):
        return load(name, root)
    return _load_located(part, root)


def segments(
    conversations: Iterable[Thread], *, limit: int = MAX_TOKENS, short: int = SHORT_TOKENS
) -> Iterator[Passage]:
    """The segments that ingestion would make, each with its own source to be ranked by.

    Short threads of one channel are joined, as QAConv's authors join those of Slack.
    """
    titled = (replace(thread, title=thread.channel) for thread in conversations)
    for thread in combine(titled, short=short):
        for segment in split(thread, limit=limit):
            yield replace(segment, source=segment.id)


def _official_chunks(root: Path | None) -> list[Passage]:
    """The chunks of the official file, none where it isn't there."""
    try:
        return list(passages("qaconv", root))
    except DatasetError:
        return []


def _load_located(name: str, root: Path | None) -> Iterator[Example]:
    part, _, mode = name.partition("-")
    examples = list(load(f"qaconv/{part}-full", root))
    others = [example for other in PARTS if other != part for example in _load_part(other, root)]
    locator = ChunkLocator(threads("qaconv", root), [*examples, *others])
    for example in examples:
        gold = locator.gold(example)
        chunk = gold[:1] or locator.nearest(example)
        located = chunk if mode == "chunk" else gold
        yield replace(
            example,
            context=chunk[0].text if mode == "chunk" and chunk else example.context,
            gold=replace(
                example.gold,
                evidence=tuple(Evidence(segment.text, segment.source) for segment in located),
            ),
        )


def _load_part(part: str, root: Path | None) -> list[Example]:
    """The questions of a part, none where its file isn't there."""
    try:
        return list(load(f"qaconv/{part}-full", root))
    except DatasetError:
        return []


@dataclass(frozen=True, slots=True)
class _Placed:
    """A segment and the extent of a conversation that it covers."""

    segment: Passage
    extent: Extent


class ChunkLocator:
    """Finds the chunks of conversations among their segments."""

    def __init__(self, conversations: Iterable[Thread], examples: Iterable[Example]) -> None:
        known = list(conversations)
        self._lengths = {thread.source: len(thread.text) for thread in known}
        extents = {(t.source, u.key): (u.start, u.end) for t in known for u in t.utterances}
        self._placed: dict[str, list[_Placed]] = defaultdict(list)
        for segment in segments(known):
            for source in dict.fromkeys(utterance.source for utterance in segment.utterances):
                own = [extents[source, u.key] for u in segment.utterances if u.source == source]
                extent = (min(start for start, _ in own), max(end for _, end in own))
                self._placed[source].append(_Placed(segment, extent))
        numbers: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for example in examples:
            numbers[_conversations(example)].add(_chunk_number(example))
        self._numbers = {sources: sorted(chunks) for sources, chunks in numbers.items()}

    def gold(self, example: Example) -> list[Passage]:
        """The segments near the chunk's position that contain an answer, the nearest first."""
        answers = [_normalised(answer) for answer in example.gold.answers]
        return [
            segment
            for segment, distance in self._by_distance(example)
            if distance <= SLACK and any(answer in _normalised(segment.text) for answer in answers)
        ]

    def nearest(self, example: Example) -> list[Passage]:
        """The segment nearest to the chunk's position."""
        return [segment for segment, _ in self._by_distance(example)][:1]

    def _by_distance(self, example: Example) -> list[tuple[Passage, float]]:
        """The segments of the example's conversations with their distance in chunks."""
        sources = _conversations(example)
        numbers = self._numbers[sources]
        size = sum(self._lengths[source] for source in sources) / len(numbers)
        middle = (numbers.index(_chunk_number(example)) + 0.5) * size
        nearest: dict[str, tuple[Passage, float]] = {}
        before = 0
        for source in sources:
            for placed in self._placed[source]:
                left, right = (before + edge for edge in placed.extent)
                distance = max(0.0, left - middle, middle - right) / size
                known = nearest.get(placed.segment.source)
                if known is None or distance < known[1]:
                    nearest[placed.segment.source] = (placed.segment, distance)
            before += self._lengths[source]
        return sorted(nearest.values(), key=lambda pair: (pair[1], pair[0].source))


def _conversations(example: Example) -> tuple[str, ...]:
    return tuple(sorted(example.sources))


def _chunk_number(example: Example) -> int:
    return int(example.gold.evidence[0].source.rpartition("-")[2])


def _normalised(text: str) -> str:
    """The normalised words of a text, each between spaces."""
    return f" {' '.join(tokens(text))} "
