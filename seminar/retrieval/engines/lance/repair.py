"""Verifying an index, and rebuilding it from all that is still as it was written."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seminar.errors import IndexBusyError, IndexDamagedError, IndexStoreError
from seminar.index_marker import CATALOG, REBUILT, TABLE, read_marker
from seminar.index_url import Place
from seminar.io import write_atomic
from seminar.protocols import Encoder
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.catalog import FORMAT, Catalog
from seminar.retrieval.engines.lance.creation import create_empty, write_marker
from seminar.retrieval.engines.lance.lock import writing
from seminar.retrieval.engines.lance.rows import PASSAGE_COLUMNS, has_half_precision, to_passage
from seminar.retrieval.engines.lance.salvage_trial import can_be_read
from seminar.retrieval.engines.lance.store import LanceStore, describe
from seminar.retrieval.engines.lance.table import (
    NAME,
    connect,
    explained,
    open_version,
    remove_unpublished,
)
from seminar.retrieval.engines.lance.table_files import faults as file_faults
from seminar.retrieval.file_index import FileRecord, IndexedFile, Repair
from seminar.types import Passage, Query

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from lancedb.table import Table

BATCH_ROWS = 1_000
LOCK_SECONDS = 10.0
_COMPLETE = "complete"  # in the folder of a rebuilt index, as soon as it may replace the other
_DAMAGE = (IndexStoreError, OSError, ValueError)


def verify(folder: Path) -> list[str]:
    """What is wrong with an index, a line each: every file, row, count and search is looked at."""
    try:
        made = describe(folder)
        catalog = Catalog(folder)
        records, known, version = catalog.files(), catalog.table_files(), catalog.version()
    except IndexStoreError as error:
        return [str(error)]
    wrong: list[str] = []
    with _noting(wrong, "files of the table"):
        wrong += file_faults(folder / TABLE, known)
    if wrong:  # the library may end the process at a damaged file
        return wrong
    with _noting(wrong, "rows of the table"):
        table = _open(folder, version, made)
        wrong += passage_faults(folder, table, records)
    if not wrong:
        with _noting(wrong, "search"):
            store = LanceStore(folder, encoder=made.encoder, dimensions=made.dimensions)
            store.search_text([Query("the")], k=1)
            store.search_vector([Query("", vector=np.ones(made.dimensions, np.float32))], k=1)
    return wrong


def passage_faults(place: Place, table: Table, records: dict[str, FileRecord]) -> list[str]:
    """The files of which passages are damaged or missing, a line each."""
    rows = _survey(place, table)
    damaged = [f"{path}: {count} damaged passages" for path, count in rows.damaged.items()]
    return damaged + _miscounted(records, rows)


def repair(folder: Path, load: Callable[[str], Encoder]) -> Repair:
    """Rebuild an index from what is intact of it; `load` gives the encoder of that name.

    Files with any damage are left out, so that the next update reads them again.
    """
    with suppress(IndexStoreError):
        describe(folder)  # which converts an index of an earlier format
    with writing(folder, timeout=LOCK_SECONDS):
        with suppress(IndexStoreError, OSError):
            remove_unpublished(folder / TABLE, Catalog(folder).version())
        if (folder / REBUILT / _COMPLETE).exists():
            _replace(folder)
        elif not verify(folder):
            return Repair(kept=len(Catalog(folder).files()), lost=(), rebuilt=False)
        else:
            _rebuild(folder, load)
            _replace(folder)
        records = Catalog(folder).files()
    lost = [path for path, record in records.items() if not record.hash]
    return Repair(kept=len(records) - len(lost), lost=tuple(sorted(lost)), rebuilt=True)


def _rebuild(folder: Path, load: Callable[[str], Encoder]) -> None:
    """Make a new index beside the damaged one of all that is intact."""
    made = _description(folder)
    records = _intact_records(folder)
    rebuilt = folder / REBUILT
    if rebuilt.exists():
        shutil.rmtree(rebuilt)
    create_empty(rebuilt, made.encoder, made.dimensions)
    store = LanceStore(rebuilt, encoder=made.encoder, dimensions=made.dimensions)
    with store.writer() as writer:
        salvage = _Salvage.of(folder, made, records)
        for files, vectors in salvage.parts():
            if not salvage.trusts_vectors:
                texts = [passage.searched for file in files for passage in file.passages]
                vectors = load(made.encoder).encode(texts)
            writer.add(files, vectors)
        nothing = np.zeros((0, made.dimensions), np.float32)
        writer.add(salvage.without_passages(), nothing)
        for record in records.values():
            if record.stale_since:
                writer.mark_stale([record.path], record.stale_since)
    write_atomic(rebuilt / _COMPLETE, b"")


def _replace(folder: Path) -> None:
    """Put the rebuilt index in the place of the damaged one; may be begun again at any point."""
    rebuilt = folder / REBUILT
    if (rebuilt / TABLE).exists():
        (folder / CATALOG).unlink(missing_ok=True)
        (folder / f"{CATALOG}-journal").unlink(missing_ok=True)
        _remove(folder / TABLE)
        (rebuilt / TABLE).rename(folder / TABLE)
    if (rebuilt / CATALOG).exists():
        (rebuilt / CATALOG).replace(folder / CATALOG)
    write_marker(folder, Catalog(folder).description())
    shutil.rmtree(rebuilt)


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def _description(folder: Path) -> Description:
    try:
        return Catalog(folder).description()
    except IndexBusyError:
        raise
    except IndexStoreError:
        marker = read_marker(folder)
    if marker is None:
        raise IndexStoreError(
            f"the index in {folder} can't be repaired: neither its catalog nor its marker says "
            "which encoder made it. Index the files again: seminar index PATH --to ANOTHER"
        )
    return Description(FORMAT, marker.encoder, marker.dimensions)


def _intact_records(folder: Path) -> dict[str, FileRecord]:
    try:
        return {record.path: record for record in Catalog(folder).intact_files()}
    except IndexStoreError:
        return {}


def _open(folder: Path, version: int | None, made: Description) -> Table:
    """The table at a version, or at its latest."""
    database = connect(folder)
    with explained(folder):
        table = (
            database.open_table(NAME)
            if version is None
            else open_version(database, folder, version)
        )
        try:
            has_half_precision(table.schema, made.dimensions)
        except ValueError as error:
            raise IndexDamagedError(f"the table in {folder} has {error}") from None
        return table


@dataclass(frozen=True, slots=True)
class _Rows:
    """The passages of each file in a table: intact ones and damaged ones."""

    intact: Counter[str] = field(default_factory=Counter)
    damaged: Counter[str] = field(default_factory=Counter)


def _survey(place: Place, table: Table) -> _Rows:
    rows = _Rows()
    with explained(place):
        for batch in _batches(table, ["file", *PASSAGE_COLUMNS]):
            for row in batch.to_pylist():
                kind = rows.intact if _is_intact(row) else rows.damaged
                kind[str(row["file"])] += 1
    return rows


def _is_intact(row: Mapping[str, Any]) -> bool:
    try:
        to_passage(row)
    except ValueError:
        return False
    return True


def every_row(folder: Path, version: int | None, dimensions: int) -> Iterator[pa.RecordBatch]:
    """All rows of a table with all that a repair takes from them."""
    table = _open(folder, version, Description(FORMAT, "", dimensions))
    with explained(folder):
        yield from _batches(table, ["file", *PASSAGE_COLUMNS, "vector"])


def _batches(table: Table, columns: list[str]) -> Iterator[pa.RecordBatch]:
    query = table.search().select(columns).limit(table.count_rows())
    yield from query.to_batches(batch_size=BATCH_ROWS)


def _miscounted(records: dict[str, FileRecord], rows: _Rows) -> list[str]:
    return [
        f"{path}: {rows.intact[path]:,} of {record.passages:,} passages"
        for path, record in records.items()
        if rows.intact[path] + rows.damaged[path] != record.passages
    ]


@dataclass(frozen=True, slots=True)
class _Salvage:
    """What is intact of an index: whole files, each with all of its passages."""

    table: Table | None
    counts: Counter[str]
    records: dict[str, FileRecord]
    trusts_vectors: bool

    @classmethod
    def of(cls, folder: Path, made: Description, records: dict[str, FileRecord]) -> _Salvage:
        catalog = Catalog(folder)
        trusts = False
        try:
            version = catalog.version()
            trusts = not file_faults(folder / TABLE, catalog.table_files())
        except _DAMAGE:
            version = None
        try:
            if not (trusts or can_be_read(folder, version, made.dimensions)):
                return cls(None, Counter(), records, trusts)
            table = _open(folder, version, made)
            rows = _survey(folder, table)
        except _DAMAGE:
            return cls(None, Counter(), records, trusts)
        counts = Counter(
            {
                path: count
                for path, count in rows.intact.items()
                if not rows.damaged[path]
                and (path not in records or records[path].passages == count)
            }
        )
        return cls(table, counts, records, trusts)

    def parts(self) -> Iterator[tuple[list[IndexedFile], np.ndarray]]:
        """The intact files, in parts, with their vectors."""
        if self.table is None:
            return
        done: Counter[str] = Counter()
        for batch in _batches(self.table, ["file", *PASSAGE_COLUMNS, "vector"]):
            held: dict[str, list[tuple[Passage, list[float]]]] = {}
            for row in batch.to_pylist():
                if row["file"] in self.counts:
                    held.setdefault(row["file"], []).append((to_passage(row), row["vector"]))
            files = []
            for path, rows in held.items():
                done[path] += len(rows)
                passages = tuple(passage for passage, _ in rows)
                files.append(self._file(path, passages, complete=done[path] == self.counts[path]))
            vectors = [vector for rows in held.values() for _, vector in rows]
            if files:
                yield files, np.asarray(vectors, np.float32)

    def without_passages(self) -> list[IndexedFile]:
        """The files that have no passages, and those that are lost: these have no hash."""
        return [
            self._file(path, (), complete=True, lost=bool(record.passages))
            for path, record in self.records.items()
            if path not in self.counts
        ]

    def _file(
        self, path: str, passages: tuple[Passage, ...], *, complete: bool, lost: bool = False
    ) -> IndexedFile:
        record = self.records.get(path)
        if record is None or lost:  # without a hash, the next update reads it again
            problem = "lost when the index was damaged; read it again" if lost else ""
            return IndexedFile(path, "", passages, problem, complete)
        return IndexedFile(path, record.hash, passages, record.problem, complete)


@contextmanager
def _noting(wrong: list[str], subject: str) -> Iterator[None]:
    """Add an error inside to the faults that were found."""
    try:
        yield
    except _DAMAGE as error:
        wrong.append(f"{subject}: {str(error).partition(chr(10))[0]}")
