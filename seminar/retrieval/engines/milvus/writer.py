"""The writer of an index on Milvus: changes whole files, in rows of the next version."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, explained
from seminar.retrieval.engines.milvus.collections import FILES, Head, head_row, record_row
from seminar.retrieval.engines.milvus.lease import Lease
from seminar.retrieval.engines.milvus.passages import digest, passage_rows, row_key
from seminar.retrieval.engines.milvus.rows import NEVER, Rows, any_of, visible
from seminar.retrieval.file_index import FileRecord, IndexedFile
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    from pymilvus import MilvusClient

BATCH_ROWS = 2_000
# From so many changed rows on it pays to have them sealed and indexed at once.
FLUSH_ROWS = 1_000


class MilvusWriter:
    """Replaces, removes and publishes whole files, so that no reader sees part of one."""

    def __init__(
        self, client: MilvusClient, address: MilvusAddress, head: Head, lease: Lease
    ) -> None:
        self._client = client
        self._address = address
        self._head = head
        self._lease = lease
        self._passages = Rows(client, address, address.collection)
        self._files = Rows(client, address, f"{address.collection}{FILES}")
        self._passages.undo(head.version)
        with lease.writes:
            self._files.undo(head.version)
        self._rows: list[tuple[str, Passage]] = []
        self._vectors: list[Matrix] = []
        self._stale: set[str] = set()
        self._records: dict[str, FileRecord] = {}
        self._removed: set[str] = set()
        self._begun: dict[str, int] = {}  # passages so far of files that are not complete
        self._changed = 0

    @property
    def has_incomplete_file(self) -> bool:
        """Whether the last part of some file is still missing, so that publishing is an error."""
        return bool(self._begun)

    def add(self, files: Sequence[IndexedFile], vectors: Matrix) -> None:
        """Add files or parts of files, replacing their earlier passages; a vector a passage."""
        rows = [(file.path, passage) for file in files for passage in file.passages]
        self._check(len(rows), vectors)
        self.remove(file.path for file in files if file.path not in self._begun)
        self._rows += rows
        self._vectors.append(vectors)
        for file in files:
            count = self._begun.pop(file.path, 0) + len(file.passages)
            if file.complete:
                self._records[file.path] = FileRecord(file.path, file.hash, count, file.problem)
            else:
                self._begun[file.path] = count
        if len(self._rows) >= BATCH_ROWS:
            self._flush()

    def remove(self, paths: Iterable[str]) -> None:
        """Remove files with all their passages; unknown paths are ignored."""
        gone = set(paths)
        if any(path in gone for path, _ in self._rows):
            self._flush()
        self._stale |= gone
        self._removed |= gone
        for path in gone:
            self._records.pop(path, None)

    def mark_stale(self, paths: Iterable[str], since: float) -> None:
        """Record since when files can't be seen, 0 for those seen again; their passages stay."""
        for condition in any_of("path", set(paths) - self._removed):
            rows = self._files.every(f"{condition} and {visible(self._head.version)}", ["record"])
            for record in [read_record(row["record"]) for row in rows]:
                known = self._records.get(record.path, record)
                self._records[record.path] = replace(known, stale_since=float(since))

    def add_passages(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        """Add passages that come from no known file, replacing those with the same ids."""
        self._check(len(passages), vectors)
        self._flush()
        self._end("passage", (digest(passage.id) for passage in passages))
        self._insert([(passage.source, passage) for passage in passages], vectors)

    def delete_sources(self, sources: Iterable[str]) -> None:
        """Remove every passage of the sources, from whichever file."""
        gone = set(sources)
        self.remove(gone)
        self._flush()
        self._end("source", gone)

    def publish(self) -> None:
        """Make every change so far visible and durable in one step."""
        if self._begun:
            raise IndexStoreError(f"only a part of '{next(iter(self._begun))}' has been added")
        self._flush()
        self._lease.check()
        with self._lease.writes:
            for condition in any_of("path", self._removed | self._records.keys()):
                self._files.erase(f"{condition} and born == {self._next}")
                self._files.end(condition, self._next)
            self._files.insert([file_row(one, self._next) for one in self._records.values()])
            self._lease.check()
            published = (*self._head.published, (self._next, time.time()))
            head = msgspec.structs.replace(self._head, version=self._next, published=published)
            self._files.insert([head_row(head)])
        self._head = head
        self._records.clear()
        self._removed.clear()

    def tidy(self, *, reader_seconds: float) -> None:
        """Delete what no reader can need that opened a version within the last seconds."""
        if self._changed >= FLUSH_ROWS:
            with explained(self._address):
                self._client.flush(self._address.collection, timeout=CALL_SECONDS)
        before = time.time() - reader_seconds
        oldest = max(
            (version for version, at in self._head.published if at <= before),
            default=0,
        )
        if oldest:
            self._passages.clean(oldest)
            kept = tuple(one for one in self._head.published if one[0] >= oldest)
            head = msgspec.structs.replace(self._head, published=kept)
            with self._lease.writes:
                self._files.clean(oldest)
                self._files.insert([head_row(head)])
            self._head = head

    @property
    def _next(self) -> int:
        return self._head.version + 1

    def _flush(self) -> None:
        """Write the pending changes, unseen by readers before publication."""
        # Rows of a writer that lost its lease would be in the version that its successor publishes.
        self._lease.check()
        self._end("file", self._stale)
        if self._rows:
            self._insert(self._rows, np.concatenate(self._vectors))
        self._stale.clear()
        self._rows.clear()
        self._vectors.clear()

    def _insert(self, passages: Sequence[tuple[str, Passage]], vectors: Matrix) -> None:
        half = self._head.vectors == "half"
        self._passages.insert(passage_rows(passages, vectors, half=half, version=self._next))
        self._changed += len(passages)

    def _end(self, field: str, values: Iterable[str]) -> None:
        """End the published rows that have one of the values, and erase those of this version."""
        for condition in any_of(field, values):
            self._passages.erase(f"{condition} and born == {self._next}")
            self._changed += self._passages.end(condition, self._next)

    def _check(self, rows: int, vectors: Matrix) -> None:
        if vectors.shape != (rows, self._head.dimensions):
            raise IndexStoreError(
                f"{rows} passages came with vectors of shape {vectors.shape}; "
                f"this index needs ({rows}, {self._head.dimensions})"
            )


def file_row(record: FileRecord, version: int) -> dict[str, object]:
    """The row of an input file that is born in a version."""
    return record_row(
        row_key(record.path, version),
        msgspec.json.encode(record).decode(),
        path=record.path,
        born=version,
        died=NEVER,
    )


def read_record(record: str) -> FileRecord:
    """The input file that a row tells of."""
    return msgspec.json.decode(record, type=FileRecord)
