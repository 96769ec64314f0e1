"""An index on Milvus: a collection of passages and one of files, on a server or in a file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from seminar.errors import IndexDamagedError, IndexStoreError
from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, connect, explained
from seminar.retrieval.engines.milvus.collections import (
    FILES,
    create_collections,
    read_head,
)
from seminar.retrieval.engines.milvus.lease import LEASE_SECONDS, Lease
from seminar.retrieval.engines.milvus.passages import PASSAGE_FIELDS, to_passage
from seminar.retrieval.engines.milvus.rows import Rows, any_of, literal, visible
from seminar.retrieval.engines.milvus.searches import MOST_HITS, Row, Searches
from seminar.retrieval.engines.milvus.writer import MilvusWriter, read_record
from seminar.retrieval.file_index import FileRecord
from seminar.types import Hit, Matrix, Passage, Query

# Hits asked for beyond k, to see whether the k-th ties with others.
TIE_ROWS = 8
MOST_TIES = 1_000
READER_SECONDS = 3_600.0


class MilvusIndex:
    """A `FileIndex` on Milvus; searches see what was published when it was opened."""

    def __init__(self, address: MilvusAddress, *, encoder: str = "", dimensions: int = 0) -> None:
        self.address = address
        self._client = connect(address)
        head = read_head(self._client, address)
        if encoder and (head.encoder, head.dimensions) != (encoder, dimensions):
            raise IndexStoreError(
                f"the index {address} was made with encoder '{head.encoder}' "
                f"({head.dimensions} dimensions), not '{encoder}' ({dimensions}). "
                f"Use '{head.encoder}', or index the files in another collection"
            )
        self._head = head
        self._searches = Searches(self._client, address, head)
        self._passages = Rows(self._client, address, address.collection)
        self._files = Rows(self._client, address, f"{address.collection}{FILES}")
        with explained(address):
            for rows in (self._files, self._passages):
                self._client.load_collection(rows.name, timeout=CALL_SECONDS)

    @classmethod
    def create(cls, address: MilvusAddress, *, encoder: str, dimensions: int) -> MilvusIndex:
        """Open the index at an address, creating it first if there is none."""
        create_collections(connect(address, make=True), address, encoder, dimensions)
        return cls(address, encoder=encoder, dimensions=dimensions)

    @property
    def encoder_name(self) -> str:
        return self._head.encoder

    @property
    def dimensions(self) -> int:
        return self._head.dimensions

    def refresh(self) -> None:
        """Reload the latest published version."""
        self._head = read_head(self._client, self.address)
        self._searches = Searches(self._client, self.address, self._head)

    def files(self) -> dict[str, FileRecord]:
        """Every input file by path, also those that could not be read."""
        with self._intact():
            rows = self._files.every(visible(self._head.version), ["record"])
            records = [read_record(row["record"]) for row in rows]
        return {record.path: record for record in records}

    def scopes(self) -> dict[str, int]:
        """The number of passages in each scope."""
        rows = self._passages.every(visible(self._head.version), ["scope"])
        return Counter(row["scope"] for row in rows)

    def count(self) -> int:
        return self._passages.count(visible(self._head.version))

    def verify(self) -> list[str]:
        """What is wrong with the index, a line each; everything in it is looked at."""
        counts: Counter[str] = Counter()
        wrong = []
        fields = ["file", *PASSAGE_FIELDS]
        for row in self._passages.every(visible(self._head.version), fields):
            counts[row["file"]] += 1
            try:
                to_passage(row)
            except ValueError as error:
                wrong.append(f"{row['file']}: {error}")
        for record in self.files().values():
            if counts[record.path] != record.passages:
                wrong.append(f"{record.path}: {counts[record.path]} of {record.passages} passages")
        return wrong

    def passages(self, sources: Sequence[str]) -> list[list[Passage]]:
        """The passages of each source, in the order of their offsets."""
        by_source: dict[str, list[Passage]] = {source: [] for source in sources}
        for condition in any_of("source", sources):
            for passage in self._read(condition):
                by_source[passage.source].append(passage)
        for passages in by_source.values():
            passages.sort(key=lambda passage: (passage.start, passage.end))
        return [list(by_source[source]) for source in sources]

    def file_passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of an input file, at most so many, by source and offset."""
        passages = self._read(f"file == {literal(path)}", limit=limit)
        return sorted(passages, key=lambda one: (one.source, one.start, one.end))

    @contextmanager
    def writer(
        self,
        *,
        timeout: float = 10.0,
        reader_seconds: float = READER_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
    ) -> Iterator[MilvusWriter]:
        """Open the only writer; leaving publishes, an exception discards what was not published.

        Waits `timeout` seconds for another writer, and takes over from one without a sign of life
        for `lease_seconds`; other processes can read the version they opened for another
        `reader_seconds`.
        """
        lease = Lease(self._client, self.address, seconds=lease_seconds)
        with lease.held(timeout):
            head = read_head(self._client, self.address)
            writer = MilvusWriter(self._client, self.address, head, lease)
            yield writer
            writer.publish()
            writer.tidy(reader_seconds=reader_seconds)
        self.refresh()

    def add(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        with self.writer() as writer:
            writer.add_passages(passages, vectors)

    def delete(self, sources: Iterable[str]) -> None:
        with self.writer() as writer:
            writer.delete_sources(sources)

    def search_text(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        """BM25 over heading and text, by the engine's own function."""
        return self._search(queries, k, self._searches.words)

    def search_vector(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        """Inner product with each query's vector."""
        self._check_vectors(queries)
        return self._search(queries, k, self._searches.vectors)

    def search_fused(
        self, queries: Sequence[Query], k: int, *, constant: float, depth: int
    ) -> list[list[Hit]]:
        """Words and vectors in one call, by the engine's own reciprocal rank fusion.

        Fused scores that are equal are ordered by passage id; equal scores within one of the two
        rankings come in the order of the engine.
        """
        self._check_vectors(queries)
        rankings: list[list[Hit]] = [[] for _ in queries]
        scopes = defaultdict(list)
        for place, query in enumerate(queries if k > 0 else ()):
            scopes[(query.scope or "").strip("/")].append(place)
        for scope, places in scopes.items():
            asked = [queries[place] for place in places]
            condition = self._condition(scope)
            found = self._searches.fused(asked, condition, depth, constant=constant)
            for place, rows in zip(places, found, strict=True):
                rankings[place] = self._ranking(rows, k)
        return rankings

    def _check_vectors(self, queries: Sequence[Query]) -> None:
        for query in queries:
            if query.vector is None or query.vector.shape != (self.dimensions,):
                shape = None if query.vector is None else query.vector.shape
                raise IndexStoreError(
                    f"query '{query.text[:60]}' has a vector of shape {shape}; "
                    f"the index {self.address} needs ({self.dimensions},)"
                )

    def _search(
        self,
        queries: Sequence[Query],
        k: int,
        search: Callable[[Sequence[Query], str, int], list[list[Row]]],
    ) -> list[list[Hit]]:
        """One call of the server for all queries of a scope, and more where the k-th ties."""
        rankings: list[list[Hit]] = [[] for _ in queries]
        if k <= 0:
            return rankings
        pending: dict[tuple[str, int], list[int]] = defaultdict(list)
        for place, query in enumerate(queries):
            pending[(query.scope or "").strip("/"), min(k + TIE_ROWS, MOST_HITS)].append(place)
        while pending:
            (scope, limit), places = pending.popitem()
            condition = self._condition(scope)
            found = search([queries[place] for place in places], condition, limit)
            for place, rows in zip(places, found, strict=True):
                if _ties(rows, k, limit) and limit <= MOST_TIES:
                    pending[scope, min(limit * 4, MOST_HITS)].append(place)
                else:
                    rankings[place] = self._ranking(rows, k)
        return rankings

    def _condition(self, scope: str) -> str:
        """The rows of this version in a scope: the path and everything below it.

        The paths below 'docs' sort from 'docs/' up to 'docs0', as '0' follows '/'. Comparisons
        need no escaping, unlike patterns with a user's '%' or '_'.
        """
        now = visible(self._head.version)
        if not scope:
            return now
        exact, low, high = (literal(f"{scope}{end}") for end in ("", "/", "0"))
        return f"{now} and (scope == {exact} or (scope >= {low} and scope < {high}))"

    def _ranking(self, rows: Sequence[Row], k: int) -> list[Hit]:
        """The k best hits; equal scores are ordered by passage id."""
        with self._intact():
            hits = [Hit(to_passage(row["entity"]), row["distance"]) for row in rows]
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))[:k]

    def _read(self, condition: str, limit: int | None = None) -> list[Passage]:
        condition = f"{condition} and {visible(self._head.version)}"
        fields = PASSAGE_FIELDS
        with self._intact():
            if limit is None:
                return [to_passage(row) for row in self._passages.every(condition, fields)]
            return [to_passage(row) for row in self._passages.query(condition, fields, limit)]

    @contextmanager
    def _intact(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, msgspec.MsgspecError) as error:
            raise IndexDamagedError(
                f"the index {self.address} holds something that Seminar did not write: {error}. "
                "Index the files in another collection"
            ) from error


def _ties(rows: Sequence[Row], k: int, limit: int) -> bool:
    return len(rows) == limit > k and bool(rows[k - 1]["distance"] == rows[-1]["distance"])
