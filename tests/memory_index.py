"""A small `FileIndex` in memory: the second implementation that the contract is checked against."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from seminar.errors import IndexStoreError
from seminar.retrieval.file_index import FileRecord, IndexedFile
from seminar.types import Hit, Matrix, Passage, Query, Vector
from tests.fakes import words


@dataclass(frozen=True)
class Row:
    """A passage with the input file it came from and its vector."""

    file: str
    passage: Passage
    vector: Vector


@dataclass(frozen=True)
class Version:
    """What is visible at one time; a publication replaces it as a whole."""

    files: Mapping[str, FileRecord] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()


@dataclass
class Published:
    """The state that all open indexes share, in the place of a folder or a server."""

    version: Version = field(default_factory=Version)
    lock: threading.Lock = field(default_factory=threading.Lock)


class MemoryWriter:
    """Collects changes to a copy of the published version."""

    def __init__(self, published: Published, dimensions: int) -> None:
        self._published = published
        self._dimensions = dimensions
        self._files = dict(published.version.files)
        self._rows = list(published.version.rows)
        self._incomplete: dict[str, int] = {}  # path to the number of passages so far

    @property
    def has_incomplete_file(self) -> bool:
        return bool(self._incomplete)

    def add(self, files: Sequence[IndexedFile], vectors: Matrix) -> None:
        rows = [(file.path, passage) for file in files for passage in file.passages]
        self._check(len(rows), vectors)
        self.remove(file.path for file in files if file.path not in self._incomplete)
        self._rows += [Row(*row, vector) for row, vector in zip(rows, vectors, strict=True)]
        for file in files:
            count = self._incomplete.pop(file.path, 0) + len(file.passages)
            if file.complete:
                self._files[file.path] = FileRecord(file.path, file.hash, count, file.problem)
            else:
                self._incomplete[file.path] = count

    def remove(self, paths: Iterable[str]) -> None:
        removed = set(paths)
        self._rows = [row for row in self._rows if row.file not in removed]
        for path in removed:
            self._files.pop(path, None)

    def mark_stale(self, paths: Iterable[str], since: float) -> None:
        for path in paths:
            if path in self._files:
                self._files[path] = replace(self._files[path], stale_since=since)

    def publish(self) -> None:
        if self._incomplete:
            raise IndexStoreError(f"only a part of '{next(iter(self._incomplete))}' has been added")
        self._published.version = Version(dict(self._files), tuple(self._rows))

    def add_passages(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        self._check(len(passages), vectors)
        replaced = {passage.id for passage in passages}
        self._rows = [row for row in self._rows if row.passage.id not in replaced]
        self._rows += map(Row, [passage.source for passage in passages], passages, vectors)

    def delete_sources(self, sources: Iterable[str]) -> None:
        deleted = set(sources)
        self.remove(deleted)
        self._rows = [row for row in self._rows if row.passage.source not in deleted]

    def _check(self, rows: int, vectors: Matrix) -> None:
        if vectors.shape != (rows, self._dimensions):
            raise IndexStoreError(f"{rows} passages came with vectors of shape {vectors.shape}")


class MemoryIndex:
    """A `FileIndex` without a disk; BM25 with k1 = 1.2 and b = 0.75.

    Indexes that are given the same `published` are one index, opened several times.
    """

    def __init__(
        self, *, encoder: str = "fake", dimensions: int = 64, published: Published | None = None
    ) -> None:
        self.encoder_name = encoder
        self.dimensions = dimensions
        self._published = published or Published()
        self.refresh()

    def refresh(self) -> None:
        self._version = self._published.version

    def files(self) -> dict[str, FileRecord]:
        return dict(self._published.version.files)

    def scopes(self) -> dict[str, int]:
        return Counter(row.passage.scope for row in self._version.rows)

    def passages(self, sources: Sequence[str]) -> list[list[Passage]]:
        passages = sorted(
            (row.passage for row in self._version.rows), key=lambda one: (one.start, one.end)
        )
        return [[one for one in passages if one.source == source] for source in sources]

    def file_passages(self, path: str, *, limit: int) -> list[Passage]:
        rows = [row.passage for row in self._version.rows if row.file == path]
        return sorted(rows[:limit], key=lambda one: (one.source, one.start, one.end))

    def count(self) -> int:
        return len(self._version.rows)

    @contextmanager
    def writer(self, *, timeout: float = 10.0) -> Iterator[MemoryWriter]:
        if not self._published.lock.acquire(timeout=timeout):
            raise IndexStoreError(f"the index is being written; gave up after {timeout:g} s")
        try:
            writer = MemoryWriter(self._published, self.dimensions)
            yield writer
            writer.publish()
        finally:
            self._published.lock.release()
        self.refresh()

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        with self.writer() as writer:
            writer.add_passages(passages, vectors)

    def delete(self, sources: Iterable[str]) -> None:
        with self.writer() as writer:
            writer.delete_sources(sources)

    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        counts = [Counter(words(row.passage.searched)) for row in self._version.rows]
        return [self._ranking(query, k, lambda q: _bm25(q.text, counts)) for query in queries]

    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [self._ranking(query, k, self._products) for query in queries]

    def _products(self, query: Query) -> dict[int, float]:
        vector = query.vector
        if vector is None or vector.shape != (self.dimensions,):
            shape = None if vector is None else vector.shape
            raise IndexStoreError(f"query '{query.text}' has a vector of shape {shape}")
        return {place: float(row.vector @ vector) for place, row in enumerate(self._version.rows)}

    def _ranking(
        self, query: Query, k: int, score: Callable[[Query], Mapping[int, float]]
    ) -> list[Hit]:
        rows = self._version.rows
        hits = [Hit(rows[place].passage, value) for place, value in score(query).items()]
        within = [hit for hit in hits if _in_scope(hit.passage.scope, query.scope)]
        return sorted(within, key=lambda hit: (-hit.score, hit.passage.id))[: max(k, 0)]


def _in_scope(scope: str, wanted: str | None) -> bool:
    path = (wanted or "").strip("/")
    return not path or scope == path or scope.startswith(f"{path}/")


def _bm25(text: str, counts: Sequence[Counter[str]]) -> dict[int, float]:
    """The scores of the passages that share a word with the text, by their place."""
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / max(len(lengths), 1)
    scores: dict[int, float] = {}
    for word in words(text):
        holders = [place for place, count in enumerate(counts) if count[word]]
        rarity = math.log(1 + (len(counts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for place in holders:
            frequency = counts[place][word]
            norm = 1.2 * (0.25 + 0.75 * lengths[place] / mean)
            scores[place] = scores.get(place, 0.0) + rarity * frequency * 2.2 / (frequency + norm)
    return scores
