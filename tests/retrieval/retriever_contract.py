"""The contract of `Retriever`; each check takes a new, empty store."""

from __future__ import annotations

from collections.abc import Callable

from seminar.protocols import PassageStore, Retriever
from seminar.types import Query
from tests.retrieval.contract import HOSTILE, texts, three_towns

MakeRetriever = Callable[[PassageStore], Retriever]


def retriever_answers_every_query_in_order(make: MakeRetriever, store: PassageStore) -> None:
    three_towns(store)
    retriever = make(store)
    assert retriever.search([], k=3) == []
    queries = [Query("the old bridge of Rome"), Query("a red ship in a harbour")]
    rankings = retriever.search(queries, k=1)
    assert [texts(hits) for hits in rankings] == [
        ["the old bridge of Rome"],
        ["a harbour and a red ship"],
    ]
    assert retriever.search(queries, k=1) == rankings
    assert retriever.search(queries, k=0) == [[], []]


def retriever_searches_within_the_scope(make: MakeRetriever, store: PassageStore) -> None:
    three_towns(store)
    [hits] = make(store).search([Query("red ship tower", scope="towns")], k=10)
    assert {hit.passage.scope for hit in hits} <= {"towns/york", "towns/rome"}
    assert hits[0].passage.source == "york.md"


def retriever_accepts_any_text(make: MakeRetriever, store: PassageStore) -> None:
    three_towns(store)
    rankings = make(store).search([Query(text) for text in HOSTILE], k=10)
    assert len(rankings) == len(HOSTILE)
    for hits in rankings:
        ids = [hit.passage.id for hit in hits]
        assert len(ids) == len(set(ids)) <= 3
        assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))


def retriever_over_empty_index_finds_nothing(make: MakeRetriever, store: PassageStore) -> None:
    assert make(store).search([Query("tower"), Query("")], k=3) == [[], []]


RETRIEVER_CHECKS = [
    retriever_answers_every_query_in_order,
    retriever_searches_within_the_scope,
    retriever_accepts_any_text,
    retriever_over_empty_index_finds_nothing,
]
