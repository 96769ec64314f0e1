"""Dense retrieval: the passages with the nearest vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.protocols import Encoder, PassageStore
from seminar.types import Hit, Query


class Dense:
    """Ranks passages by their vectors; a query without a vector is encoded from its text."""

    def __init__(self, store: PassageStore, encoder: Encoder) -> None:
        self._store = store
        self._encoder = encoder

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return self._store.search_vector(with_vectors(queries, self._encoder), k)


def with_vectors(queries: Sequence[Query], encoder: Encoder) -> list[Query]:
    """Queries with vectors, those that lack one encoded from their texts."""
    bare = [query.text for query in queries if query.vector is None]
    vectors = iter(encoder.encode(bare) if bare else ())
    return [
        query if query.vector is not None else replace(query, vector=next(vectors))
        for query in queries
    ]
