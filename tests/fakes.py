"""Small real implementations of the protocols, for tests of what stands on them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seminar.types import Matrix, Passage, Vector


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


@dataclass(frozen=True)
class ListedContents:
    """The contents of a list of passages, whose scope is their source where they have none."""

    held: Sequence[Passage]

    def sources(self) -> list[str]:
        return sorted({one.source for one in self.held})

    def scopes(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for one in self.held:
            for depth in range(1, len(_path(one)) + 1):
                scope = "/".join(_path(one)[:depth])
                counts[scope] = counts.get(scope, 0) + 1
        return counts

    def passages(self, path: str, *, limit: int) -> list[Passage]:
        wanted = path.split("/") if path else []
        return [one for one in self.held if _path(one)[: len(wanted)] == wanted][:limit]


def _path(passage: Passage) -> list[str]:
    return (passage.scope or passage.source).split("/")
