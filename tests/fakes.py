"""Small real implementations of the protocols, for tests of what stands on them."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from seminar.types import Hit, Matrix, Passage, Query, Vector


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@dataclass(frozen=True)
class FakeEncoder:
    """Hashes each word to a few signed dimensions: texts that share words have near vectors."""

    name: str = "fake"
    dimensions: int = 64

    def encode(self, texts: Sequence[str]) -> Matrix:
        rows = [self._vector(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), self.dimensions)

    def _vector(self, text: str) -> Vector:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        for word in words(text) or [""]:
            for seed in range(4):
                digest = hashlib.blake2b(word.encode(), digest_size=8, salt=bytes([seed])).digest()
                place = int.from_bytes(digest[:4], "little") % self.dimensions
                vector[place] += 1.0 if digest[4] % 2 else -1.0
        length = float(np.linalg.norm(vector))
        return vector / length if length else np.eye(1, self.dimensions, dtype=np.float32)[0]


@dataclass
class MemoryStore:
    """A `PassageStore` that lives as long as its test; BM25 with k1 = 1.2 and b = 0.75."""

    passages: dict[str, Passage] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        for passage, vector in zip(passages, vectors, strict=True):
            self.passages[passage.id] = passage
            self.vectors[passage.id] = vector

    def delete(self, sources: Iterable[str]) -> None:
        gone = set(sources)
        for key in [key for key, passage in self.passages.items() if passage.source in gone]:
            del self.passages[key], self.vectors[key]

    def count(self) -> int:
        return len(self.passages)

    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        counts = {key: Counter(words(passage.searched)) for key, passage in self.passages.items()}
        return [self._ranking(query, k, lambda q: _bm25(q.text, counts)) for query in queries]

    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [self._ranking(query, k, self._products) for query in queries]

    def _products(self, query: Query) -> dict[str, float]:
        if query.vector is None:
            raise ValueError(f"query '{query.text}' has no vector")
        return {key: float(vector @ query.vector) for key, vector in self.vectors.items()}

    def _ranking(
        self, query: Query, k: int, score: Callable[[Query], Mapping[str, float]]
    ) -> list[Hit]:
        scores = score(query)
        seen = [key for key in scores if _within(self.passages[key].scope, query.scope)]
        best = sorted(seen, key=lambda key: (-scores[key], key))[: max(k, 0)]
        return [Hit(self.passages[key], scores[key]) for key in best]


def _within(scope: str, wanted: str | None) -> bool:
    path = (wanted or "").strip("/")
    return not path or scope == path or scope.startswith(f"{path}/")


def _bm25(text: str, counts: Mapping[str, Counter[str]]) -> dict[str, float]:
    lengths = {key: count.total() for key, count in counts.items()}
    mean = sum(lengths.values()) / max(len(lengths), 1)
    scores: dict[str, float] = {}
    for word in words(text):
        holders = [key for key, count in counts.items() if count[word]]
        rarity = math.log(1 + (len(counts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for key in holders:
            often = counts[key][word]
            norm = 1.2 * (0.25 + 0.75 * lengths[key] / mean)
            scores[key] = scores.get(key, 0.0) + rarity * often * 2.2 / (often + norm)
    return scores
