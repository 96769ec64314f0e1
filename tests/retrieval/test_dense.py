"""Retrieval by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.retrieval.dense import Dense
from seminar.types import Matrix, Passage, Query
from tests.fakes import FakeEncoder
from tests.memory_index import MemoryIndex

ENCODER = FakeEncoder()


@dataclass(frozen=True)
class Counting:
    """An encoder that keeps what it was asked to encode."""

    encoded: list[list[str]]
    name: str = "counting"
    dimensions: int = ENCODER.dimensions

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.encoded.append(list(texts))
        return ENCODER.encode(texts)


def test_a_query_with_a_vector_is_not_encoded_again() -> None:
    index = MemoryIndex()
    texts = ["red tower", "old bridge"]
    index.add([Passage(text, 0, 10, text) for text in texts], ENCODER.encode(texts))
    asked: list[list[str]] = []
    dense = Dense(index, Counting(asked))
    queries = [
        Query("old bridge"),
        Query("old bridge", vector=ENCODER.encode(["red tower"])[0]),
        Query("red tower"),
    ]
    rankings = dense.search(queries, k=1)
    assert [hits[0].passage.text for hits in rankings] == ["old bridge", "red tower", "red tower"]
    assert asked == [["old bridge", "red tower"]]
    dense.search(queries[1:2], k=1)
    assert len(asked) == 1
