"""The calls that search a version of an index on Milvus: by words, by vectors, and by both."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, explained
from seminar.retrieval.engines.milvus.collections import Head
from seminar.retrieval.engines.milvus.passages import PASSAGE_FIELDS
from seminar.types import Query

if TYPE_CHECKING:
    from pymilvus import MilvusClient

Row = dict[str, Any]
MOST_HITS = 16_384  # that Milvus gives for a query
CANDIDATES = 128  # that the graph of vectors keeps while it is searched
# For so long after a version was read its rows are waited for; then every node has them.
SETTLED_SECONDS = 10.0


class Searches:
    """Searches for the rows that fulfil a condition; queries that share it are one call."""

    def __init__(self, client: MilvusClient, address: MilvusAddress, head: Head) -> None:
        self._client = client
        self._address = address
        self._head = head
        self._begun = time.monotonic()

    def words(self, queries: Sequence[Query], condition: str, limit: int) -> list[list[Row]]:
        found = self._call([query.text for query in queries], "words", condition, limit, {})
        # Milvus Lite gives these scores negated.
        return [[{**row, "distance": abs(row["distance"])} for row in rows] for rows in found]

    def vectors(self, queries: Sequence[Query], condition: str, limit: int) -> list[list[Row]]:
        return self._call(self._numbers(queries), "vector", condition, limit, self._width(limit))

    def fused(
        self, queries: Sequence[Query], condition: str, depth: int, *, constant: float
    ) -> list[list[Row]]:
        """Every row of both rankings, with the score of reciprocal rank fusion."""
        from pymilvus import AnnSearchRequest, RRFRanker

        texts = [query.text for query in queries]
        dense = {"metric_type": "IP", "params": self._width(depth)}
        numbers = self._numbers(queries)
        with explained(self._address):
            found = self._client.hybrid_search(
                self._address.collection,
                [
                    AnnSearchRequest(texts, "words", {"metric_type": "BM25"}, depth, condition),
                    AnnSearchRequest(numbers, "vector", dense, depth, condition),
                ],
                RRFRanker(constant),
                limit=min(2 * depth, MOST_HITS),
                output_fields=list(PASSAGE_FIELDS),
                timeout=CALL_SECONDS,
                consistency_level=self._consistency,
            )
            return [list(hits) for hits in found]

    def _call(
        self,
        data: Sequence[object],
        field: str,
        condition: str,
        limit: int,
        params: Mapping[str, int],
    ) -> list[list[Row]]:
        with explained(self._address):
            found = self._client.search(
                self._address.collection,
                data=list(data),
                anns_field=field,
                filter=condition,
                limit=limit,
                output_fields=list(PASSAGE_FIELDS),
                search_params={"params": params},
                timeout=CALL_SECONDS,
                consistency_level=self._consistency,
            )
            return [list(hits) for hits in found]

    def _numbers(self, queries: Sequence[Query]) -> list[Any]:
        kind = np.float16 if self._head.vectors == "half" else np.float32
        return [np.asarray(query.vector, dtype=kind) for query in queries]

    def _width(self, limit: int) -> dict[str, int]:
        """How many candidates the search for vectors keeps."""
        name = "ef" if self._head.index == "hnsw" else "search_list"
        return {name: max(limit, CANDIDATES)}

    @property
    def _consistency(self) -> str:
        settled = time.monotonic() - self._begun > SETTLED_SECONDS
        return "Bounded" if settled else "Strong"
