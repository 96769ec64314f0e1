"""The catalog of an index: the published table version, the encoder, and the input files.

A table version that the catalog does not name is not published, so one SQLite transaction makes any
number of table commits and file records visible at once.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from seminar.errors import IndexStoreError
from seminar.retrieval.file_index import FileRecord

FORMAT = 4
FILE_NAME = "catalog.sqlite"
BUSY_SECONDS = 10.0

# SQLite's error names for problems around the file; any other error means a damaged file.
_SURROUNDINGS = ("BUSY", "CANTOPEN", "FULL", "IOERR", "LOCKED", "PERM", "READONLY")

_TABLES = """
CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER);
CREATE TABLE publications (version INTEGER PRIMARY KEY, begun REAL, published REAL);
CREATE TABLE files (path TEXT PRIMARY KEY, hash TEXT, passages INTEGER, problem TEXT);
"""


@dataclass(frozen=True, slots=True)
class Description:
    """The format and the encoder of an index; only that encoder can search it."""

    format: int
    encoder: str
    dimensions: int


class Catalog:
    """The catalog file of one index folder; each call is one transaction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / FILE_NAME

    def exists(self) -> bool:
        return self._path.is_file()

    def create(self, encoder: str, *, dimensions: int, version: int, begun: float) -> None:
        """Create the catalog; the folder is an index as soon as this returns."""
        unfinished = self._path.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        with self._connect(unfinished, mode="rwc") as database:
            for statement in _TABLES.strip().splitlines():
                database.execute(statement)
            database.execute(
                "INSERT INTO description VALUES (?, ?, ?)", (FORMAT, encoder, dimensions)
            )
            _publish(database, version, begun=begun)
        unfinished.replace(self._path)

    def description(self) -> Description:
        with self._connect() as database:
            row = database.execute("SELECT format, encoder, dimensions FROM description").fetchone()
        if row is None:
            raise self._damaged("it holds no description")
        return Description(*row)

    def version(self) -> int:
        """The table version that readers see."""
        with self._connect() as database:
            (version,) = database.execute("SELECT max(version) FROM publications").fetchone()
        if version is None:
            raise self._damaged("it names no table version")
        return int(version)

    def files(self) -> dict[str, FileRecord]:
        with self._connect() as database:
            rows = database.execute("SELECT path, hash, passages, problem FROM files").fetchall()
        return {row[0]: FileRecord(*row) for row in rows}

    def publish(
        self,
        version: int,
        *,
        begun: float,
        records: Iterable[FileRecord] = (),
        removed: Iterable[str] = (),
    ) -> None:
        """Record a version and its files as published; `begun` is no later than the version."""
        added = [(file.path, file.hash, file.passages, file.problem) for file in records]
        with self._connect() as database:
            database.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in removed))
            database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", added)
            _publish(database, version, begun=begun)

    def forget_publications(self, before: float) -> float:
        """Forget those superseded before a time; return when the oldest of the rest was begun."""
        with self._connect() as database:
            (oldest,) = database.execute(
                "SELECT coalesce(max(version), 0) FROM publications WHERE published <= ?", (before,)
            ).fetchone()
            database.execute("DELETE FROM publications WHERE version < ?", (oldest,))
            (begun,) = database.execute("SELECT min(begun) FROM publications").fetchone()
        return float(begun)

    @contextmanager
    def _connect(
        self, path: Path | None = None, *, mode: str = "rw"
    ) -> Iterator[sqlite3.Connection]:
        uri = f"{(path or self._path).absolute().as_uri()}?mode={mode}"
        try:
            with (
                closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as database,
                database,
            ):
                database.execute("PRAGMA synchronous = FULL")
                database.execute("BEGIN")
                yield database
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname.partition("_")[2].startswith(_SURROUNDINGS):
                raise IndexStoreError(
                    f"cannot use the index catalog {self._path}: {error}. Check that the folder "
                    "exists and may be written, that the disk has space, and that it isn't busy"
                ) from error
            raise self._damaged(str(error)) from error

    def _damaged(self, reason: str) -> IndexStoreError:
        return IndexStoreError(
            f"the index catalog {self._path} is damaged ({reason}). "
            "Delete the index folder and build the index again"
        )


def _publish(database: sqlite3.Connection, version: int, *, begun: float) -> None:
    # A version published again, as when only files were refused, keeps the times it had first.
    row = (version, begun, time.time())
    database.execute("INSERT OR IGNORE INTO publications VALUES (?, ?, ?)", row)
