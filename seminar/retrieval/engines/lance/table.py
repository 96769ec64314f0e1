"""The LanceDB table of an index: open, index, filter, and translate errors."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from seminar.errors import IndexStoreError
from seminar.index_marker import TABLE
from seminar.index_url import IndexUrl, Place
from seminar.retrieval.engines.lance import library as lance
from seminar.retrieval.engines.lance.rows import schema
from seminar.retrieval.engines.lance.storage_failures import storage_failure
from seminar.retrieval.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from lancedb.db import DBConnection
    from lancedb.expr import Expr
    from lancedb.table import Table

NAME = "passages"
FOLDER = TABLE
VECTOR_INDEX = "vector_idx"

# Below this many rows a scan of all vectors takes no longer than the index would.
SCANNED_ROWS = 5_000
FILTERED_VALUES = 1_000
FOREVER = timedelta(days=36_500)
OPTIMIZE_ROUNDS = 5
_LATEST = 2**64 - 1  # less the version is the name of its manifest, so that the latest is first
_ERRORS = (OSError, RuntimeError, ValueError, LookupError)  # of LanceDB and of rows


def connect(folder: Path) -> DBConnection:
    """Open the database in a folder."""
    with explained(folder):
        return cast("DBConnection", lance.load().connect(folder))


def create_table(folder: Path, dimensions: int) -> Table:
    """Create an empty table, replacing one whose creation was interrupted."""
    with explained(folder):
        if (folder / FOLDER).exists():
            shutil.rmtree(folder / FOLDER)
    return make_table(connect(folder), folder, dimensions)


def make_table(database: DBConnection, place: Place, dimensions: int) -> Table:
    """Create an empty table with its index of words in a database, replacing an earlier one."""
    with explained(place):
        lance.load()
        from lancedb.index import FTS, BTree

        table = database.create_table(NAME, schema=schema(dimensions), mode="overwrite")
        words = FTS(base_tokenizer="icu/split", custom_stop_words=STOP_WORDS)
        table.create_index("searched", config=words)
        table.create_index("scope", config=BTree())
        return table


def open_version(database: DBConnection, place: Place, version: int) -> Table:
    """Open the table at one version, for reading."""
    with explained(place):
        table = database.open_table(NAME)
        table.checkout(version)
        return table


def open_latest(database: DBConnection, place: Place, published: int) -> Table:
    """Open the table for writing, first undoing what a dead writer left unpublished."""
    with explained(place):
        table = database.open_table(NAME)
        if table.version != published:
            table.checkout(published)
            table.restore()
        return table


def remove_unpublished(table: Path, published: int) -> None:
    """Delete later versions, so that what a dead writer left is neither opened nor built upon."""
    for path in unpublished(table, published):
        path.unlink()


def unpublished(table: Path, published: int) -> list[Path]:
    """The manifests of later versions; where a power cut tore one, no version can be opened."""
    manifests = (table / "_versions").glob("*.manifest")
    return [
        path for path in manifests if path.stem.isdecimal() and _LATEST - int(path.stem) > published
    ]


def rows_of(
    table: Table,
    column: str,
    values: Iterable[str],
    *,
    columns: Sequence[str],
    limit: int | None = None,
) -> Iterator[dict[str, Any]]:
    """Read the rows whose column holds one of the values, at most so many for each filter."""
    for condition in _any_of(column, values):
        rows = table.search().where(condition).select(list(columns))
        yield from rows.limit(limit or table.count_rows()).to_list()


def delete_rows(table: Table, column: str, values: Iterable[str]) -> None:
    """Delete the rows whose column holds one of the values."""
    for condition in _any_of(column, values):
        table.delete(condition)


def _any_of(column: str, values: Iterable[str]) -> Iterator[Expr]:
    """Filters for the values of a column, each for a limited number of them."""
    from lancedb.expr import col, lit

    ordered = sorted(set(values))
    for first in range(0, len(ordered), FILTERED_VALUES):
        batch = [lit(value) for value in ordered[first : first + FILTERED_VALUES]]
        yield col(column).isin(batch)


def within(scope: str | None) -> Expr | None:
    """The filter for a scope and everything below it; None without a scope.

    The paths below 'docs' sort from 'docs/' up to 'docs0', as '0' follows '/'. Comparisons need no
    escaping, unlike patterns with a user's '%' or '_'.
    """
    from lancedb.expr import col, lit

    path = (scope or "").strip("/")
    if not path:
        return None
    below = (col("scope") >= lit(f"{path}/")) & (col("scope") < lit(f"{path}0"))
    return (col("scope") == lit(path)) | below


def unindexed_rows(table: Table) -> int:
    """Rows added since the last `optimize`, which text search scans one by one."""
    return max(index.num_unindexed_rows or 0 for index in table.list_indices())


def optimize(table: Table) -> bool:
    """Index the new rows and compact the table; returns whether nothing is left to do.

    Every older version stays readable.
    """
    from lancedb.index import IvfFlat

    indexed = any(index.name == VECTOR_INDEX for index in table.list_indices())
    if not indexed and table.count_rows() >= SCANNED_ROWS:
        # Compacted first: moving rows that the vector index knows would write it once more.
        table.optimize(cleanup_older_than=FOREVER)
        table.create_index("vector", config=IvfFlat(distance_type="dot"), name=VECTOR_INDEX)
    for _ in range(OPTIMIZE_ROUNDS):
        before = table.version
        table.optimize(cleanup_older_than=FOREVER)
        if table.version == before:
            return True
    return False


def clean(table: Table, *, keep: timedelta) -> None:
    """Delete versions older than `keep`, except the latest, and files of dead writers.

    A file that no version refers to belongs to a dead writer, since the lock excludes live ones.
    """
    table.optimize(cleanup_older_than=keep, delete_unverified=True)


@contextmanager
def explained(place: Place) -> Iterator[None]:
    """Turn errors of LanceDB into an error that says which index failed and what to do."""
    try:
        yield
    except BaseException as error:
        # A panic of LanceDB, as at some damaged files, is no Exception and can't be imported.
        if not isinstance(error, _ERRORS) and type(error).__name__ != "PanicException":
            raise
        raise IndexStoreError(f"the index in {place} failed: {_reason(error, place)}") from error


def _reason(error: BaseException, place: Place) -> str:
    if isinstance(place, IndexUrl):
        return storage_failure(str(error), place)
    # The first line without the place in LanceDB's own source.
    first = re.sub(r",? /\S+\.rs:[\d:]+", "", str(error).partition("\n")[0])
    return (
        f"{first}. Check free space and permissions; "
        f"if files of it are missing or damaged: seminar doctor --repair {place}"
    )
