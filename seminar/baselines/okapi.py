"""BM25 over a handful of passages, as QAConv's authors compute it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from seminar.types import Hit, Passage, Query


class Okapi:
    """A retriever over passages in memory; words are what spaces part, capitals count.

    score(d) = sum over query words w of idf(w) tf(k1 + 1) / (tf + k1(1 - b + b |d| / average |d|)),
    idf(w) = ln((N - n + 0.5) / (n + 0.5)), where a negative idf becomes `floor` times the average
    one. It is the paper's definition for the few chunks of a conversation, not a product's index.
    """

    def __init__(
        self, passages: Sequence[Passage], *, k1: float = 1.5, b: float = 0.75, floor: float = 0.25
    ) -> None:
        self.passages = tuple(passages)
        self._counts = [Counter(passage.text.split(" ")) for passage in passages]
        lengths = [count.total() for count in self._counts]
        average = sum(lengths) / max(1, len(lengths))
        self._norms = [k1 * (1 - b + b * length / average) for length in lengths]
        self._boost = k1 + 1
        self._idf = _idf(self._counts, floor)

    def scores(self, text: str) -> list[float]:
        """The score of every passage, in their order."""
        terms = [(term, self._idf.get(term, 0.0)) for term in text.split(" ")]
        return [
            sum(idf * count[term] * self._boost / (count[term] + norm) for term, idf in terms)
            for count, norm in zip(self._counts, self._norms, strict=True)
        ]

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        """The k best passages within each query's scope; of equal ones the earlier comes first."""
        return [self._best(query)[:k] for query in queries]

    def _best(self, query: Query) -> list[Hit]:
        hits = map(Hit, self.passages, self.scores(query.text))
        within = [hit for hit in hits if _in_scope(hit.passage.scope, query.scope)]
        return sorted(within, key=lambda hit: hit.score, reverse=True)


def _in_scope(scope: str, wanted: str | None) -> bool:
    return wanted is None or scope == wanted or scope.startswith(f"{wanted}/")


def _idf(counts: Sequence[Counter[str]], floor: float) -> dict[str, float]:
    holding = Counter(term for count in counts for term in count)
    total = len(counts)
    idf = {
        term: math.log(total - held + 0.5) - math.log(held + 0.5) for term, held in holding.items()
    }
    least = floor * sum(idf.values()) / max(1, len(idf))
    return {term: value if value >= 0 else least for term, value in idf.items()}
