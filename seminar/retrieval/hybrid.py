"""The default retriever: lexical and dense rankings fused with measured weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from seminar.protocols import Encoder, PassageStore, Retriever
from seminar.retrieval.dense import Dense, with_vectors
from seminar.retrieval.fusion import DEPTH, Fused
from seminar.retrieval.lexical import Lexical, with_plain_texts
from seminar.types import Hit, Query

# The weight of the dense ranking beside the lexical one, and the rank constant, chosen on tuning
# questions (docs/benchmarks.md): with the usual constant of 60 the weaker ranking displaces the
# top hits of the stronger one.
DENSE_WEIGHTS = {"static": 0.5, "minilm": 1.0}
RANK_CONSTANT = 5.0


@runtime_checkable
class FusingStore(PassageStore, Protocol):
    """A store that fuses the rankings of words and vectors itself, with equal weights."""

    def search_fused(
        self, queries: Sequence[Query], k: int, *, constant: float, depth: int
    ) -> list[list[Hit]]:
        """Reciprocal rank fusion of `depth` hits by words and as many by vectors."""


class StoreFused:
    """Lexical and dense rankings of equal weight, fused by the store in one call."""

    def __init__(self, store: FusingStore, encoder: Encoder) -> None:
        self._store = store
        self._encoder = encoder

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        searched = with_plain_texts(with_vectors(queries, self._encoder))
        depth = max(k, DEPTH)
        return self._store.search_fused(searched, k, constant=RANK_CONSTANT, depth=depth)


def hybrid(store: PassageStore, encoder: Encoder) -> Retriever:
    """BM25 and the encoder's ranking, fused; an encoder that was not measured has weight 1."""
    weight = DENSE_WEIGHTS.get(encoder.name, 1.0)
    if weight == 1.0 and isinstance(store, FusingStore):
        return StoreFused(store, encoder)
    retrievers: list[Retriever] = [Lexical(store), Dense(store, encoder)]
    return Fused(retrievers, weights=(1.0, weight), constant=RANK_CONSTANT)
