"""The embedded index: a folder with a LanceDB table and the catalog of its published version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from seminar.errors import IndexDamagedError, IndexStoreError
from seminar.index_marker import TABLE, is_index
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.catalog import FORMAT, Catalog
from seminar.retrieval.engines.lance.creation import (
    CONVERTIBLE,
    USABLE,
    convert,
    create_empty,
    is_outdated,
)
from seminar.retrieval.engines.lance.lock import writing
from seminar.retrieval.engines.lance.readers import Readers
from seminar.retrieval.engines.lance.rows import PASSAGE_COLUMNS, has_half_precision, to_passage
from seminar.retrieval.engines.lance.table import (
    connect,
    explained,
    open_version,
    remove_unpublished,
    rows_of,
    unpublished,
    within,
)
from seminar.retrieval.engines.lance.table_files import check
from seminar.retrieval.engines.lance.writer import LanceWriter
from seminar.retrieval.file_index import FileRecord
from seminar.types import Hit, Matrix, Passage, Query

if TYPE_CHECKING:
    from lancedb.query import LanceQueryBuilder, LanceVectorQueryBuilder
    from lancedb.table import Table

SEARCH_THREADS = 4
LOCK_SECONDS = 10.0
# Partitions of the vector index that are searched: all of them in most collections.
PROBES = 20
# Rows fetched beyond k, to see whether the k-th ties with others.
TIE_ROWS = 8
MOST_TIES = 1_000


def describe(folder: Path) -> Description:
    """The format and the encoder of the index in a folder, or the error that says what to do.

    An index of format 4 is brought to format 5, which is used as it is; its table is the same.
    """
    if not is_index(folder):
        raise IndexStoreError(
            f"{folder} is not an index. Make one: seminar index PATH --to {folder}"
        )
    catalog = Catalog(folder)
    if not catalog.exists():
        raise IndexDamagedError(
            f"the index in {folder} has lost its catalog. "
            f"Check and repair it: seminar doctor --repair {folder}"
        )
    description = catalog.description()
    if description.format == CONVERTIBLE:
        description = convert(folder)
    if description.format > FORMAT:
        raise IndexStoreError(
            f"the index in {folder} has format {description.format}, newer than the {FORMAT} that "
            "this version of Seminar knows. Upgrade Seminar, or index the files in another folder"
        )
    if description.format < USABLE:
        raise IndexStoreError(
            f"the index in {folder} has the old format {description.format}; this version of "
            f"Seminar knows {FORMAT}. Read its files again: seminar index PATH --to {folder}"
        )
    return description


class LanceStore:
    """A `FileIndex` in a folder; searches see what was published when it was opened."""

    def __init__(self, folder: Path, *, encoder: str, dimensions: int) -> None:
        made = describe(folder)
        if (made.encoder, made.dimensions) != (encoder, dimensions):
            raise IndexStoreError(
                f"the index in {folder} was made with encoder '{made.encoder}' "
                f"({made.dimensions} dimensions), not '{encoder}' ({dimensions}). "
                f"Use '{made.encoder}', or build the index again in another folder"
            )
        self.folder = folder
        self.encoder_name = encoder
        self.dimensions = dimensions
        self._catalog = Catalog(folder)
        self._readers = Readers(folder)
        check(folder / TABLE, self._catalog.table_files)
        self._database = connect(folder)
        self._version = 0
        self.refresh()

    @classmethod
    def create(cls, folder: Path, *, encoder: str, dimensions: int) -> LanceStore:
        """Open the index in a folder, creating it first if the folder is missing or empty."""
        if not is_index(folder) or is_outdated(folder):
            create_empty(folder, encoder, dimensions)
        return cls(folder, encoder=encoder, dimensions=dimensions)

    def refresh(self) -> None:
        """Reload the latest published version."""
        version = self._catalog.version()
        if version != self._version:
            table = self._open(version)
            try:
                has_half_precision(table.schema, self.dimensions)
            except ValueError as error:
                raise IndexDamagedError(
                    f"the table of the index in {self.folder} has {error}"
                ) from None
            self._table = table
            self._version = version

    def _open(self, version: int) -> Table:
        """The table at a version; what a power cut left of a later one is removed if need be."""
        try:
            return open_version(self._database, self.folder, version)
        except IndexStoreError:
            if not unpublished(self.folder / TABLE, version):
                raise
        with writing(self.folder, timeout=LOCK_SECONDS):
            remove_unpublished(self.folder / TABLE, self._catalog.version())
        return open_version(self._database, self.folder, version)

    def files(self) -> dict[str, FileRecord]:
        """Every input file by path, also those that could not be read."""
        return self._catalog.files()

    @contextmanager
    def writer(
        self, *, timeout: float = 10.0, reader_seconds: float = 3_600.0
    ) -> Iterator[LanceWriter]:
        """Open the only writer; leaving publishes, an exception discards what was not published.

        Waits `timeout` seconds for another writer; others that have the index open can read their
        version for another `reader_seconds`.
        """
        with writing(self.folder, timeout=timeout):
            writer = LanceWriter(self._catalog, self._database, dimensions=self.dimensions)
            yield writer
            writer.publish()
            settled = writer.optimize_if_due()
            self.refresh()
            if settled:
                with self._readers.alone() as alone:
                    writer.clean_up(reader_seconds=0.0 if alone else reader_seconds)

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        with self.writer() as writer:
            writer.add_passages(passages, vectors)

    def delete(self, sources: Iterable[str]) -> None:
        with self.writer() as writer:
            writer.delete_sources(sources)

    def count(self) -> int:
        with explained(self.folder):
            return self._table.count_rows()

    def scopes(self) -> dict[str, int]:
        """The number of passages in each scope."""
        with explained(self.folder):
            every = self._table.search().select(["scope"]).limit(self._table.count_rows())
            return Counter(every.to_arrow().column("scope").to_pylist())

    def passages(self, sources: Sequence[str]) -> list[list[Passage]]:
        """The passages of each source, in the order of their offsets."""
        by_source: dict[str, list[Passage]] = {source: [] for source in sources}
        with explained(self.folder):
            rows = rows_of(self._table, "source", sources, columns=PASSAGE_COLUMNS)
            for passage in map(to_passage, rows):
                by_source[passage.source].append(passage)
        for passages in by_source.values():
            passages.sort(key=lambda passage: (passage.start, passage.end))
        return [list(by_source[source]) for source in sources]

    def file_passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of an input file, at most so many, by source and offset."""
        with explained(self.folder):
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
        with explained(self.folder):
            rows = self._best(self._table.search(match), "_score", query.scope, k)
            return _ranking([Hit(to_passage(row), row["_score"]) for row in rows], k)

    def _nearest(self, query: Query, k: int) -> list[Hit]:
        if query.vector is None or query.vector.shape != (self.dimensions,):
            shape = None if query.vector is None else query.vector.shape
            raise IndexStoreError(
                f"query '{query.text[:60]}' has a vector of shape {shape}; "
                f"the index in {self.folder} needs ({self.dimensions},)"
            )
        with explained(self.folder):
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
