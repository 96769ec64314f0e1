"""QAConv's retrieval baseline: the chunks of a question's conversations, ranked (full mode)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seminar.baselines.okapi import Okapi
from seminar.datasets.conversations.qaconv import scope
from seminar.examples import Example
from seminar.protocols import Retriever
from seminar.types import Passage, Query

Rankings = dict[str, dict[str, float]]  # question, chunk, score: what the official scorer reads


def rank_chunks(examples: Iterable[Example], retriever: Retriever, k: int) -> Rankings:
    """The k best chunks of each question within the conversations it was asked about."""
    rankings: Rankings = {}
    for example in examples:
        queries = [Query(example.question, example.question, scope=own) for own in _scopes(example)]
        retrieved = [hit for hits in retriever.search(queries, k) for hit in hits]
        best = sorted(retrieved, key=lambda hit: hit.score, reverse=True)[:k]
        rankings[example.id] = {hit.passage.source: hit.score for hit in best}
    return rankings


def rank_chunks_okapi(examples: Iterable[Example], chunks: Sequence[Passage]) -> Rankings:
    """All chunks of each question's conversations, by the authors' BM25 over nothing but these."""
    pools: dict[tuple[str, ...], Okapi] = {}
    rankings: Rankings = {}
    for example in examples:
        scopes = _scopes(example)
        if scopes not in pools:
            pools[scopes] = Okapi([chunk for chunk in chunks if chunk.scope in scopes])
        pool = pools[scopes]
        scores = pool.scores(example.question)
        rankings[example.id] = {
            chunk.source: score for chunk, score in zip(pool.passages, scores, strict=True)
        }
    return rankings


def _scopes(example: Example) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(scope, example.sources)))
