"""The writer of an index: changes whole files; nothing is visible before it is published."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

import numpy as np

from seminar.errors import IndexStoreError
from seminar.index_url import Place
from seminar.retrieval.engines.lance.rows import has_half_precision, to_table
from seminar.retrieval.engines.lance.table import (
    clean,
    delete_rows,
    explained,
    open_latest,
    optimize,
    unindexed_rows,
)
from seminar.retrieval.file_index import FileRecord, IndexedFile
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    from lancedb.db import DBConnection

BATCH_ROWS = 2_000
# A row that isn't indexed costs each search about 0.1 ms, an optimize some seconds.
TAIL_ROWS = 100
_AT_ONCE = 0.001  # seconds; at 0 LanceDB warns of other readers, which are known to be none


class Publications(Protocol):
    """What a writer needs of a catalog: the published version and files, and to publish others."""

    @property
    def place(self) -> Place: ...

    def version(self) -> int: ...

    def files(self) -> dict[str, FileRecord]: ...

    def check_writer(self) -> None:
        """Raise an error if the right to write has been lost."""

    def publish(
        self,
        version: int,
        *,
        begun: float,
        records: Iterable[FileRecord] = (),
        removed: Iterable[str] = (),
    ) -> None:
        """Make a version of the table and the records of files visible in one step."""

    def forget_publications(self, before: float) -> float:
        """Forget those superseded before a time; return when the oldest of the rest was begun."""

    def forget_deleted(self) -> None:
        """Forget what a cleaning of the table has deleted."""


class LanceWriter:
    """Replaces, removes and publishes whole files, so that no reader sees part of one."""

    def __init__(self, catalog: Publications, database: DBConnection, *, dimensions: int) -> None:
        # Every version yet to be published is younger than this.
        self._since = time.time()
        self._catalog = catalog
        self._table = open_latest(database, catalog.place, catalog.version())
        self._dimensions = dimensions
        self._half = has_half_precision(self._table.schema, dimensions)
        self._rows: list[tuple[str, Passage]] = []
        self._vectors: list[Matrix] = []
        self._stale: set[str] = set()
        self._records: dict[str, FileRecord] = {}
        self._removed: set[str] = set()
        self._begun: dict[str, int] = {}  # passages so far of files that are not complete

    def add(self, files: Sequence[IndexedFile], vectors: Matrix) -> None:
        """Add files or parts of files, replacing their earlier passages.

        `vectors` has one row for every passage of the files, in order.
        """
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

    @property
    def has_incomplete_file(self) -> bool:
        """Whether the last part of some file is still missing, so that publishing is an error."""
        return bool(self._begun)

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
        known = self._catalog.files()
        for path in paths:
            if path in known and path not in self._removed:
                self._records[path] = replace(known[path], stale_since=float(since))

    def add_passages(self, passages: Sequence[Passage], vectors: Matrix) -> None:
        """Add passages that come from no known file, replacing those with the same ids."""
        self._check(len(passages), vectors)
        self._flush()
        with explained(self._catalog.place):
            delete_rows(self._table, "id", (passage.id for passage in passages))
            self._table.add(
                to_table(
                    passages, [passage.source for passage in passages], vectors, half=self._half
                )
            )

    def delete_sources(self, sources: Iterable[str]) -> None:
        """Remove every passage of the sources, from whichever file."""
        gone = set(sources)
        self.remove(gone)
        self._flush()
        with explained(self._catalog.place):
            delete_rows(self._table, "source", gone)

    def publish(self) -> None:
        """Make every change so far visible and durable in one step."""
        if self._begun:
            raise IndexStoreError(f"only a part of '{next(iter(self._begun))}' has been added")
        self._flush()
        now = time.time()
        with explained(self._catalog.place):
            self._catalog.publish(
                self._table.version,
                begun=self._since,
                records=self._records.values(),
                removed=self._removed,
            )
        self._since = now
        self._records.clear()
        self._removed.clear()

    def optimize_if_due(self) -> bool:
        """Index the new rows when there are more than a few, and publish the result.

        Returns whether older versions may then be cleaned up.
        """
        with explained(self._catalog.place):
            if unindexed_rows(self._table) < TAIL_ROWS:
                return False
            settled = optimize(self._table)
        self.publish()
        # Only a settled table is cleaned: its latest version, which a cleaning never removes, is
        # then the published one.
        return settled

    def clean_up(self, *, reader_seconds: float) -> None:
        """Delete older versions, but those that were current within the last `reader_seconds`."""
        now = time.time()
        in_use = self._catalog.forget_publications(before=now - reader_seconds)
        # The age of what is kept has a margin for clocks set back.
        keep = now - in_use + reader_seconds if reader_seconds else _AT_ONCE
        with explained(self._catalog.place):
            clean(self._table, keep=timedelta(seconds=keep))
            self._catalog.forget_deleted()

    def _add_rows(self, passages: Sequence[Passage], files: Sequence[str], vectors: Matrix) -> None:
        self._table.add(to_table(passages, files, vectors, half=self._half))

    def _flush(self) -> None:
        """Commit the pending changes to the table, unseen by readers before publication."""
        self._catalog.check_writer()
        with explained(self._catalog.place):
            delete_rows(self._table, "file", self._stale)
            if self._rows:
                files = [path for path, _ in self._rows]
                passages = [passage for _, passage in self._rows]
                self._table.add(
                    to_table(passages, files, np.concatenate(self._vectors), half=self._half)
                )
        self._stale.clear()
        self._rows.clear()
        self._vectors.clear()

    def _check(self, rows: int, vectors: Matrix) -> None:
        if vectors.shape != (rows, self._dimensions):
            raise IndexStoreError(
                f"{rows} passages came with vectors of shape {vectors.shape}; "
                f"this index needs ({rows}, {self._dimensions})"
            )
