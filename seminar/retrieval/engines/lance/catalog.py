"""The catalog of an index: the published table version, the encoder, and the input files.

A table version that the catalog does not name is not published, so one SQLite transaction makes any
number of table commits and file records visible at once. Each row ends with a checksum of its other
values, so that a damaged value is an error and never an answer.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from seminar.index_marker import CATALOG, TABLE
from seminar.regular_files import is_regular
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.database import damaged, transaction
from seminar.retrieval.engines.lance.durability import flush_to_disk
from seminar.retrieval.engines.lance.table_files import TableFile, listed, new_files
from seminar.retrieval.file_index import FileRecord

FORMAT = 6
_Row = TypeVar("_Row")
_DESCRIPTION = "CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER"

_TABLES = (
    "CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER, sum INTEGER)",
    "CREATE TABLE publications"
    " (version INTEGER PRIMARY KEY, begun REAL, published REAL, sum INTEGER)",
    "CREATE TABLE files"
    " (path TEXT PRIMARY KEY, hash TEXT, passages INTEGER, problem TEXT, stale_since REAL,"
    " sum INTEGER)",
    "CREATE TABLE table_files (name TEXT PRIMARY KEY, size INTEGER, crc INTEGER, sum INTEGER)",
)
_FORMAT_4 = (
    "CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER)",
    "CREATE TABLE publications (version INTEGER PRIMARY KEY, begun REAL, published REAL)",
    "CREATE TABLE files (path TEXT PRIMARY KEY, hash TEXT, passages INTEGER, problem TEXT)",
)
_SCHEMAS = {FORMAT: _TABLES, 4: _FORMAT_4}  # the catalog of format 5 is that of 6


@dataclass(frozen=True, slots=True)
class Publication:
    """A table version that was published, when it was begun and when published."""

    version: int
    begun: float
    published: float


class Catalog:
    """The catalog file of one index folder; each call is one transaction."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / CATALOG

    @property
    def place(self) -> Path:
        return self.folder

    def check_writer(self) -> None:
        """Nothing: the lock of a folder can't be lost."""

    def exists(self) -> bool:
        return is_regular(self.path)

    def create(
        self,
        made: Description,
        publication: Publication,
        *,
        records: Iterable[FileRecord] = (),
        table_files: Iterable[TableFile] = (),
    ) -> None:
        """Create the catalog, replacing an earlier one in one step."""
        unfinished = self.path.with_suffix(".new")
        unfinished.unlink(missing_ok=True)
        with transaction(unfinished, new=True) as database:
            for statement in _TABLES:
                database.execute(statement)
            _insert(database, "description", [made])
            _insert(database, "publications", [publication])
            _insert(database, "files", records)
            _insert(database, "table_files", table_files)
        unfinished.replace(self.path)

    def description(self) -> Description:
        """The format and the encoder."""
        with transaction(self.path) as database:
            schema = sorted(_schema(database))
            if schema == _expected(FORMAT):
                rows = self._read(database, "description", Description)
            elif dict(schema).get("description", "").startswith(_DESCRIPTION):
                query = "SELECT format, encoder, dimensions FROM description LIMIT 2"
                rows = self._typed(database.execute(query).fetchall(), Description)
            else:
                raise self._damaged("it holds no description")
        if len(rows) != 1:
            raise self._damaged(f"it holds {len(rows)} descriptions")
        if (schema == _expected(4)) != (rows[0].format == 4):
            raise self._damaged(f"its tables are not those of format {rows[0].format}")
        return rows[0]

    def version(self) -> int:
        """The table version that readers see."""
        return self._latest().version

    def files(self) -> dict[str, FileRecord]:
        with self._checked() as database:
            records = self._read(database, "files", FileRecord)
        return {record.path: record for record in records}

    def intact_files(self) -> list[FileRecord]:
        """The records whose checksums are right, of a catalog that may be damaged."""
        with self._checked() as database:
            rows = database.execute("SELECT * FROM files").fetchall()
        return self._typed([row[:-1] for row in rows if row[-1] == checksum(row[:-1])], FileRecord)

    def table_files(self) -> dict[str, TableFile]:
        """The files of the table as they were written, by name."""
        with self._checked() as database:
            return {file.name: file for file in self._read(database, "table_files", TableFile)}

    def format_4(self) -> tuple[Publication, list[FileRecord]]:
        """The publication and the files of a catalog of format 4, to make a new one of."""
        with self._checked(4) as database:
            published = database.execute("SELECT * FROM publications").fetchall()
            files = database.execute("SELECT * FROM files").fetchall()
        publications = self._typed(published, Publication)
        if not publications:
            raise self._damaged("it names no table version")
        latest = max(publications, key=lambda one: one.version)
        return latest, self._typed([(*row, 0.0) for row in files], FileRecord)

    def publish(
        self,
        version: int,
        *,
        begun: float,
        records: Iterable[FileRecord] = (),
        removed: Iterable[str] = (),
    ) -> None:
        """Record a version and its files as published; `begun` is no later than the version.

        The new files of the table are flushed to the disk first, and recorded too.
        """
        table_files = new_files(self.folder / TABLE, self.table_files())
        flush_to_disk(self.folder / TABLE, (file.name for file in table_files))
        with self._checked() as database:
            database.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in removed))
            _insert(database, "files", records)
            _insert(database, "table_files", table_files)
            # A version published again, as when only files were refused, keeps its first times.
            publication = Publication(version, begun, time.time())
            _insert(database, "publications", [publication], verb="INSERT OR IGNORE")

    def forget_publications(self, before: float) -> float:
        """Forget those superseded before a time; return when the oldest of the rest was begun."""
        with self._checked() as database:
            every = self._read(database, "publications", Publication)
            oldest = max((one.version for one in every if one.published <= before), default=0)
            database.execute("DELETE FROM publications WHERE version < ?", (oldest,))
        return min(one.begun for one in every if one.version >= oldest)

    def forget_deleted(self) -> None:
        """Forget files of the table that were deleted."""
        root = self.folder / TABLE
        left = {path.relative_to(root).as_posix() for path, _ in listed(root)}
        gone = self.table_files().keys() - left
        with self._checked() as database:
            rows = ((name,) for name in gone)
            database.executemany("DELETE FROM table_files WHERE name = ?", rows)

    def _latest(self) -> Publication:
        with self._checked() as database:
            every = self._read(database, "publications", Publication)
        if not every:
            raise self._damaged("it names no table version")
        return max(every, key=lambda one: one.version)

    @contextmanager
    def _checked(self, form: int = FORMAT) -> Iterator[sqlite3.Connection]:
        """A transaction on a catalog that holds the tables of its format, and nothing else."""
        with transaction(self.path) as database:
            if sorted(_schema(database)) != _expected(form):
                raise self._damaged("its tables are not those of an index")
            yield database

    def _read(self, database: sqlite3.Connection, table: str, kind: type[_Row]) -> list[_Row]:
        """The rows of a table, each against its checksum."""
        rows = database.execute(f"SELECT * FROM {table}").fetchall()
        if any(row[-1] != checksum(row[:-1]) for row in rows):
            raise self._damaged(f"a row of its table '{table}' is not as it was written")
        return self._typed([row[:-1] for row in rows], kind)

    def _typed(self, rows: Sequence[tuple[Any, ...]], kind: type[_Row]) -> list[_Row]:
        fields = kind.__dataclass_fields__  # type: ignore[attr-defined]
        try:
            named = [dict(zip(fields, row, strict=True)) for row in rows]
            return msgspec.convert(named, list[kind])  # type: ignore[valid-type]
        except (msgspec.ValidationError, ValueError) as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, reason: str) -> Exception:
        return damaged(self.path, reason)


def checksum(values: Sequence[object]) -> int:
    """The checksum at the end of a row."""
    return zlib.crc32(repr(tuple(values)).encode(errors="surrogatepass"))


def _insert(
    database: sqlite3.Connection,
    table: str,
    rows: Iterable[object],
    *,
    verb: str = "INSERT OR REPLACE",
) -> None:
    values = [tuple(getattr(row, name) for name in _fields(row)) for row in rows]
    if values:
        marks = ", ".join("?" * (len(values[0]) + 1))
        summed = ((*row, checksum(row)) for row in values)
        database.executemany(f"{verb} INTO {table} VALUES ({marks})", summed)


def _fields(row: object) -> Iterable[str]:
    return row.__dataclass_fields__  # type: ignore[attr-defined,no-any-return]


def _expected(form: int) -> list[tuple[str, str]]:
    """Name and SQL of the tables of a format."""
    return sorted((statement.split()[2], statement) for statement in _SCHEMAS[form])


def _schema(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """Name and SQL of all that a database holds; SQLite's own indexes of keys are left out."""
    rows = database.execute("SELECT type, name, sql FROM sqlite_schema LIMIT 100").fetchall()
    if any(kind not in ("table", "index") for kind, _, _ in rows):
        raise sqlite3.DatabaseError("it holds views or triggers")
    return [(str(name), str(sql)) for _, name, sql in rows if sql is not None]
