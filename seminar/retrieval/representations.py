"""Search several representations of a question and fuse their rankings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seminar.protocols import Retriever
from seminar.retrieval.fusion import best_first, fuse
from seminar.text import terms, words
from seminar.types import Hit, Passage, Query

# The rank constant, chosen with the weights of `auto` on tuning turns (docs/questions.md): small,
# so that the first hit of one representation stays near the top.
RANK_CONSTANT = 2.0
FULL_COMPETITION = 60  # documents among the hits from which on priors on documents count in full

_BRACKETED = re.compile(r"\s*\([^)]*\)\s*$")  # "Mercury (planet)" is called Mercury


class FusedRepresentations:
    """Searches every representation of a query and fuses the rankings, weighted, with its priors.

    score = (sum of weight / (constant + rank)) · (1 + sum of the priors that match it).
    A query without representations is searched unchanged.
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
        plain = [single for query in queries for single in _plain(query)]
        rankings = iter(self._retriever.search(plain, depth))
        return [self._ranking(query, rankings)[: max(k, 0)] for query in queries]

    def _ranking(self, query: Query, rankings: Iterator[list[Hit]]) -> list[Hit]:
        own = [next(rankings) for _ in _plain(query)]
        if not query.representations and not query.priors:
            return own[0]
        weights = [representation.weight for representation in query.representations] or [1.0]
        fused = fuse(own, weights, constant=self._constant)
        factors = _PriorFactors(query, documents=len({hit.passage.source for hit in fused}))
        return best_first(replace(hit, score=hit.score * factors.of(hit.passage)) for hit in fused)


class _PriorFactors:
    """The factor by which the priors of a query multiply the score of a passage.

    A prior on a document counts by the squared logarithm of how many documents were found: among a
    few, the words of the question show which one is meant.
    """

    def __init__(self, query: Query, *, documents: int) -> None:
        competition = min(1.0, math.log(max(documents, 1)) / math.log(FULL_COMPETITION)) ** 2
        self._sources: dict[str, float] = {}
        for prior in query.priors:
            if prior.source:
                known = self._sources.get(prior.source, 0.0)
                self._sources[prior.source] = known + prior.weight * competition
        self._mentions = [
            (spelling(prior.mention), prior.weight) for prior in query.priors if prior.mention
        ]

    def of(self, passage: Passage) -> float:
        return 1.0 + self._sources.get(passage.source, 0.0) + self._mentioned(passage.title)

    def _mentioned(self, title: str) -> float:
        if not self._mentions or not terms(title):  # "It" would match most questions
            return 0.0
        named = spelling(_BRACKETED.sub("", title))
        return sum(weight for text, weight in self._mentions if named in text)


def _plain(query: Query) -> list[Query]:
    """A query for each representation, or the query itself without its priors."""
    bare = replace(query, representations=(), priors=())
    # A given vector belongs to the main text, so every other text must be encoded.
    return [
        replace(bare, text=text, vector=query.vector if text == query.text else None)
        for text in (representation.text for representation in query.representations)
    ] or [bare]


def spelling(text: str) -> str:
    """The words of a text in lower case with a space at each side, to match whole words.

    >>> spelling("Anatolia?") in spelling("Yes. Anatolia, and Bosnia")
    True
    """
    return f" {' '.join(text[start:end].lower() for start, end in words(text))} "
