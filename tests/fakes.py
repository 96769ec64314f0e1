"""Small real implementations of the protocols, for tests of what stands on them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seminar.types import Matrix, Vector


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
