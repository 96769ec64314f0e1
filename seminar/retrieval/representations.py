"""A question searched in several representations, and the rankings made one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seminar.protocols import Retriever
from seminar.retrieval.fusion import best_first, fuse
from seminar.text import terms, words
from seminar.types import Hit, Passage, Query

# How steeply the ranks of a representation count, chosen with the weights of `auto` on tuning
# turns (docs/questions.md): what one of them ranks first must survive the others.
RANK_CONSTANT = 2.0

_BRACKETED = re.compile(r"\s*\([^)]*\)\s*$")  # "Mercury (planet)" is called Mercury


class FusedRepresentations:
    """Searches every representation of a query and fuses them, weighed, under its priors.

    score = (sum of weight / (constant + rank)) · (1 + sum of the priors that speak for it).
    A query without representations is searched as it is.
    """

    def __init__(
        self, retriever: Retriever, *, constant: float = RANK_CONSTANT, depth: int = 50
    ) -> None:
        self._retriever = retriever
        self._constant = constant
        self._depth = depth

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        several = any(query.representations or query.priors for query in queries)
        depth = max(k, self._depth) if several else k
        plain = [one for query in queries for one in _plain(query)]
        rankings = iter(self._retriever.search(plain, depth))
        return [self._ranking(query, rankings)[: max(k, 0)] for query in queries]

    def _ranking(self, query: Query, rankings: Iterator[list[Hit]]) -> list[Hit]:
        own = [next(rankings) for _ in _plain(query)]
        if not query.representations and not query.priors:
            return own[0]
        weights = [one.weight for one in query.representations] or [1.0]
        fused = fuse(own, weights, constant=self._constant)
        expected = _Expectations(query)
        return best_first(replace(hit, score=hit.score * expected.of(hit.passage)) for hit in fused)


class _Expectations:
    """How much likelier the priors of a query make each passage."""

    def __init__(self, query: Query) -> None:
        self._sources: dict[str, float] = {}
        for prior in query.priors:
            if prior.source:
                known = self._sources.get(prior.source, 0.0)
                self._sources[prior.source] = known + prior.weight
        self._mentions = [
            (spelling(prior.mention), prior.weight) for prior in query.priors if prior.mention
        ]

    def of(self, passage: Passage) -> float:
        return 1.0 + self._sources.get(passage.source, 0.0) + self._mentioned(passage.title)

    def _mentioned(self, title: str) -> float:
        if not self._mentions or not terms(title):  # "It" stands in every other question
            return 0.0
        named = spelling(_BRACKETED.sub("", title))
        return sum(weight for text, weight in self._mentions if named in text)


def _plain(query: Query) -> list[Query]:
    """What the retriever is asked: a query for each representation, else the query itself."""
    bare = replace(query, representations=(), priors=())
    # A vector that came along is the chief text's, so every other text is encoded anew.
    return [
        replace(bare, text=one.text, vector=query.vector if one.text == query.text else None)
        for one in query.representations
    ] or [bare]


def spelling(text: str) -> str:
    """The words of a text in lower case with a space at each side, so that whole words are found.

    >>> spelling("Anatolia?") in spelling("Yes. Anatolia, and Bosnia")
    True
    """
    return f" {' '.join(text[start:end].lower() for start, end in words(text))} "
