"""The writer of an index: changes whole files; nothing is visible before it is published."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.catalog import Catalog
from seminar.retrieval.engines.lance.durability import flush_to_disk
from seminar.retrieval.engines.lance.rows import has_half_precision, to_table
from seminar.retrieval.engines.lance.table import (
    FOLDER,
    clean,
    delete_rows,
    explained,
    open_latest,
    optimize,
    unindexed_rows,
)
from seminar.retrieval.engines.lance.table_files import listed, new_files
from seminar.retrieval.file_index import FileRecord, IndexedFile
from seminar.types import Matrix, Passage

if TYPE_CHECKING:
    from lancedb.db import DBConnection

BATCH_ROWS = 2_000
# A row that isn't indexed costs each search about 0.1 ms, an optimize some seconds.
TAIL_ROWS = 100
_AT_ONCE = 0.001  # seconds; at 0 LanceDB warns of other readers, which are known to be none


class LanceWriter:
    """Replaces, removes and publishes whole files, so that no reader sees part of one."""

    def __init__(self, catalog: Catalog, database: DBConnection, *, dimensions: int) -> None:
        # Every version yet to be published is younger than this.
        self._since = time.time()
        self._catalog = catalog
        self._table = open_latest(database, catalog.folder, catalog.version())
        self._known = catalog.table_files()
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
        with explained(self._catalog.folder):
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
        with explained(self._catalog.folder):
            delete_rows(self._table, "source", gone)

    def publish(self) -> None:
        """Make every change so far visible and durable in one step."""
        if self._begun:
            raise IndexStoreError(f"only a part of '{next(iter(self._begun))}' has been added")
        self._flush()
        folder, now = self._catalog.folder, time.time()
        with explained(folder):
            version = self._table.version
            written = new_files(folder / FOLDER, self._known)
            flush_to_disk(folder / FOLDER, (file.name for file in written))
        self._catalog.publish(
            version,
            begun=self._since,
            records=self._records.values(),
            removed=self._removed,
            table_files=written,
        )
        self._since = now
        self._known |= {file.name: file for file in written}
        self._records.clear()
        self._removed.clear()

    def optimize_if_due(self) -> bool:
        """Index the new rows when there are more than a few, and publish the result.

        Returns whether older versions may then be cleaned up.
        """
        with explained(self._catalog.folder):
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
        table = self._catalog.folder / FOLDER
        # The age of what is kept has a margin for clocks set back.
        keep = now - in_use + reader_seconds if reader_seconds else _AT_ONCE
        with explained(self._catalog.folder):
            clean(self._table, keep=timedelta(seconds=keep))
            left = {path.relative_to(table).as_posix() for path, _ in listed(table)}
        self._catalog.forget_table_files(self._known.keys() - left)
        self._known = {name: self._known[name] for name in self._known.keys() & left}

    def _add_rows(self, passages: Sequence[Passage], files: Sequence[str], vectors: Matrix) -> None:
        self._table.add(to_table(passages, files, vectors, half=self._half))

    def _flush(self) -> None:
        """Commit the pending changes to the table, unseen by readers before publication."""
        with explained(self._catalog.folder):
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
