"""Searching and reading the table of an index, wherever it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import repeat
from typing import TYPE_CHECKING, Any, cast

from seminar.errors import IndexDamagedError, IndexStoreError
from seminar.index_url import Place
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.rows import PASSAGE_COLUMNS, has_half_precision, to_passage
from seminar.retrieval.engines.lance.table import explained, open_version, rows_of, within
from seminar.retrieval.engines.lance.writer import LanceWriter, Publications
from seminar.retrieval.file_index import FileRecord
from seminar.types import Hit, Matrix, Passage, Query

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.query import LanceQueryBuilder, LanceVectorQueryBuilder
    from lancedb.table import Table

SEARCH_THREADS = 4
# Partitions of the vector index that are searched: all of them in most collections.
PROBES = 20
# Rows fetched beyond k, to see whether the k-th ties with others.
TIE_ROWS = 8
MOST_TIES = 1_000


class LanceIndex(ABC):
    """An index on a LanceDB table; searches see what was published when it was opened."""

    place: Place
    encoder_name: str
    dimensions: int
    _catalog: Publications
    _database: DBConnection
    _version = 0

    @abstractmethod
    def writer(self, *, timeout: float = 10.0) -> AbstractContextManager[LanceWriter]: ...

    def refresh(self) -> None:
        """Reload the latest published version."""
        version = self._catalog.version()
        if version != self._version:
            table = self._open(version)
            try:
                has_half_precision(table.schema, self.dimensions)
            except ValueError as error:
                raise IndexDamagedError(
                    f"the table of the index in {self.place} has {error}"
                ) from None
            self._table = table
            self._version = version

    def _open(self, version: int) -> Table:
        """The table at a version."""
        return open_version(self._database, self.place, version)

    def files(self) -> dict[str, FileRecord]:
        """Every input file by path, also those that could not be read."""
        return self._catalog.files()

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        with self.writer() as writer:
            writer.add_passages(passages, vectors)

    def delete(self, sources: Iterable[str]) -> None:
        with self.writer() as writer:
            writer.delete_sources(sources)

    def count(self) -> int:
        with explained(self.place):
            return self._table.count_rows()

    def scopes(self) -> dict[str, int]:
        """The number of passages in each scope."""
        with explained(self.place):
            every = self._table.search().select(["scope"]).limit(self._table.count_rows())
            return Counter(every.to_arrow().column("scope").to_pylist())

    def passages(self, sources: Sequence[str]) -> list[list[Passage]]:
        """The passages of each source, in the order of their offsets."""
        by_source: dict[str, list[Passage]] = {source: [] for source in sources}
        with explained(self.place):
            rows = rows_of(self._table, "source", sources, columns=PASSAGE_COLUMNS)
            for passage in map(to_passage, rows):
                by_source[passage.source].append(passage)
        for passages in by_source.values():
            passages.sort(key=lambda passage: (passage.start, passage.end))
        return [list(by_source[source]) for source in sources]

    def file_passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of an input file, at most so many, by source and offset."""
        with explained(self.place):
            rows = rows_of(self._table, "file", [path], columns=PASSAGE_COLUMNS, limit=limit)
            return _in_order(map(to_passage, rows))

    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        """BM25 over heading and text."""
        return self._search(self._matches, queries, k)

    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        """Inner product with each query's vector."""
        return self._search(self._nearest, queries, k)

    def _search(
        self, rank: Callable[[Query, int], list[Hit]], queries: Sequence[Query], k: int
    ) -> list[list[Hit]]:
        if k <= 0:
            return [[] for _ in queries]
        if len(queries) == 1:
            return [rank(queries[0], k)]
        with ThreadPoolExecutor(max_workers=SEARCH_THREADS) as pool:
            return list(pool.map(rank, queries, repeat(k)))

    def _matches(self, query: Query, k: int) -> list[Hit]:
        from lancedb.query import MatchQuery

        match = MatchQuery(query.text, "searched")  # type: ignore[call-arg]  # has defaults
        with explained(self.place):
            rows = self._best(self._table.search(match), "_score", query.scope, k)
            return _ranking([Hit(to_passage(row), row["_score"]) for row in rows], k)

    def _nearest(self, query: Query, k: int) -> list[Hit]:
        if query.vector is None or query.vector.shape != (self.dimensions,):
            shape = None if query.vector is None else query.vector.shape
            raise IndexStoreError(
                f"query '{query.text[:60]}' has a vector of shape {shape}; "
                f"the index in {self.place} needs ({self.dimensions},)"
            )
        with explained(self.place):
            search = cast(
                "LanceVectorQueryBuilder",
                self._table.search(query.vector, vector_column_name="vector", query_type="vector"),
            )
            nearest = search.distance_type("dot").nprobes(PROBES)
            rows = self._best(nearest, "_distance", query.scope, k)
            # LanceDB turns an inner product into a distance: 1 - a.b
            return _ranking([Hit(to_passage(row), 1.0 - row["_distance"]) for row in rows], k)

    def _best(
        self, search: LanceQueryBuilder, score: str, scope: str | None, k: int
    ) -> list[dict[str, Any]]:
        """The best k rows and those with the same score as the k-th, up to a limit."""
        scoped = within(scope)
        if scoped is not None:
            search = search.where(scoped)
        search = search.select([*PASSAGE_COLUMNS, score])
        limit = k + TIE_ROWS
        rows = search.limit(limit).to_list()
        while len(rows) == limit <= MOST_TIES and rows[k - 1][score] == rows[-1][score]:
            limit *= 4
            rows = search.limit(limit).to_list()
        return rows


def _ranking(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The k best hits; equal scores are ordered by passage id."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))[:k]


def _in_order(passages: Iterable[Passage]) -> list[Passage]:
    return sorted(passages, key=lambda passage: (passage.source, passage.start, passage.end))


def check_encoder(place: Place, made: Description, encoder: str, dimensions: int) -> None:
    """Refuse an encoder that did not make the index."""
    if (made.encoder, made.dimensions) != (encoder, dimensions):
        raise IndexStoreError(
            f"the index in {place} was made with encoder '{made.encoder}' "
            f"({made.dimensions} dimensions), not '{encoder}' ({dimensions}). "
            f"Use '{made.encoder}', or build the index again in another place"
        )


def check_format(place: Place, form: int, *, usable: int, latest: int) -> None:
    """Refuse an index of a format that this version of Seminar doesn't know."""
    if form > latest:
        raise IndexStoreError(
            f"the index in {place} has format {form}, newer than the {latest} that this version "
            "of Seminar knows. Upgrade Seminar, or index the files in another place"
        )
    if form < usable:
        raise IndexStoreError(
            f"the index in {place} has the old format {form}; this version of Seminar knows "
            f"{latest}. Read its files again: seminar index PATH --to {place}"
        )
