"""Lexical retrieval: BM25."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.protocols import PassageStore
from seminar.text import whole
from seminar.types import SEPARATOR, Hit, Query


class Lexical:
    """Ranks passages by the words they share with the query."""

    def __init__(self, store: PassageStore) -> None:
        self._store = store

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return self._store.search_text(with_plain_texts(queries), k)


def with_plain_texts(queries: Sequence[Query]) -> list[Query]:
    """Queries without the separator between turns, which is not a word of the question."""
    plain = [whole(query.text).replace(SEPARATOR, " ") for query in queries]
    return [replace(query, text=text) for query, text in zip(queries, plain, strict=True)]
