"""Fusion of several rankings into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seminar.errors import ConfigurationError
from seminar.protocols import Retriever
from seminar.types import Hit, Passage, Query

DEPTH = 50


class Fused:
    """Reciprocal rank fusion (Cormack et al., 2009): score = sum of weight / (constant + rank).

    Each retriever is asked for at least `depth` hits, so that a passage that one ranks low can
    still gain from another; ranks start at 1.
    """

    def __init__(
        self,
        retrievers: Sequence[Retriever],
        *,
        weights: Sequence[float] | None = None,
        constant: float = 60.0,
        depth: int = DEPTH,
    ) -> None:
        self._retrievers = tuple(retrievers)
        self._weights = tuple(weights) if weights is not None else (1.0,) * len(self._retrievers)
        self._constant = constant
        self._depth = depth
        if len(self._weights) != len(self._retrievers):
            raise ConfigurationError(
                f"{len(self._retrievers)} retrievers came with {len(self._weights)} weights; "
                "give one weight for each"
            )

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        depth = max(k, self._depth)
        searched = [retriever.search(queries, depth) for retriever in self._retrievers]
        return [
            fuse(rankings, self._weights, constant=self._constant)[: max(k, 0)]
            for rankings in zip(*searched, strict=True)
        ]


def fuse(
    rankings: Iterable[Sequence[Hit]], weights: Iterable[float], *, constant: float
) -> list[Hit]:
    """Merge rankings into one; equal scores are ordered by id."""
    passages: dict[str, Passage] = {}
    scores: dict[str, float] = {}
    for weight, ranking in zip(weights, rankings, strict=True):
        for rank, hit in enumerate(ranking, start=1):
            key = hit.passage.id
            passages.setdefault(key, hit.passage)
            scores[key] = scores.get(key, 0.0) + weight / (constant + rank)
    return best_first(Hit(passages[key], score) for key, score in scores.items())


def best_first(hits: Iterable[Hit]) -> list[Hit]:
    """Sort hits by descending score; equal scores are ordered by id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))
