"""The LanceDB table of an index: opening, indexing, filtering, and its errors in our words."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from seminar.errors import IndexStoreError
from seminar.retrieval.rows import schema

if TYPE_CHECKING:
    from lancedb.expr import Expr
    from lancedb.table import Table

NAME = "passages"
FOLDER = f"{NAME}.lance"
TEXT_INDEX = "searched_idx"
VECTOR_INDEX = "vector_idx"

# Exact search is quicker than it is worth indexing below this many rows.
EXACT_ROWS = 20_000
DELETE_BATCH = 1_000

# English function words without those that are also names ("who", "it", "will", "us", "may"):
# on SQuAD this list found more than the built-in one and than none at all (docs/retrieval.md).
_STOP_WORDS = """
a an and are as at be been being but by did do does doing for from had has have having he
her his how i if in into is its me my of on or our she should so such than that the their
them then there these they this those to was we were what when where which while whom why
with would you your
"""


def create_table(folder: Path, dimensions: int) -> Table:
    """An empty table with its text index, replacing one whose making was interrupted."""
    import lancedb
    from lancedb.index import FTS

    with explained(folder):
        if (folder / FOLDER).exists():
            shutil.rmtree(folder / FOLDER)
        table = lancedb.connect(folder).create_table(NAME, schema=schema(dimensions))
        analysis = FTS(base_tokenizer="icu/split", custom_stop_words=_STOP_WORDS.split())
        table.create_index("searched", config=analysis, name=TEXT_INDEX)
        return table


def open_table(folder: Path, version: int) -> Table:
    """The table as it was at one version."""
    import lancedb

    with explained(folder):
        table = lancedb.connect(folder).open_table(NAME)
        table.checkout(version)
        return table


def open_latest(folder: Path, published: int) -> Table:
    """The table to write to, set back to what was published if a writer died before publishing."""
    import lancedb

    with explained(folder):
        table = lancedb.connect(folder).open_table(NAME)
        if table.version != published:
            table.checkout(published)
            table.restore()
        return table


def unindexed_rows(table: Table) -> int:
    """Rows that text search must scan one by one: some 0.1 ms each at every search."""
    return max((index.num_unindexed_rows or 0 for index in table.list_indices()), default=0)


def delete_rows(table: Table, column: str, values: Iterable[str]) -> None:
    """Delete the rows whose column holds one of the values."""
    from lancedb.expr import col, lit

    ordered = sorted(set(values))
    for first in range(0, len(ordered), DELETE_BATCH):
        batch = [lit(value) for value in ordered[first : first + DELETE_BATCH]]
        table.delete(col(column).isin(batch))


def within(scope: str | None) -> Expr | None:
    """The filter for a scope and everything below it; none for no scope.

    Below 'docs' lies what sorts from 'docs/' up to 'docs0', as '0' comes right after '/': plain
    comparisons need no pattern that a user's '%' or '_' could bend.
    """
    from lancedb.expr import col, lit

    path = (scope or "").strip("/")
    if not path:
        return None
    below = (col("scope") >= lit(f"{path}/")) & (col("scope") < lit(f"{path}0"))
    return (col("scope") == lit(path)) | below


def optimize(table: Table, *, keep: timedelta) -> None:
    """Index the new rows and compact the table; versions younger than `keep` stay readable."""
    from lancedb.index import IvfPq

    names = {index.name for index in table.list_indices()}
    if VECTOR_INDEX not in names and table.count_rows() >= EXACT_ROWS:
        table.create_index("vector", config=IvfPq(distance_type="dot"), name=VECTOR_INDEX)
    # Nobody else writes (the writer's lock), so a file no version names is a dead writer's.
    table.optimize(cleanup_older_than=keep, delete_unverified=True)


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn what LanceDB raises into an error that says which index failed and what to do."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise IndexStoreError(
            f"the index in {folder} failed: {reason}. Check free space and permissions; "
            "if files of it are missing or damaged, delete the folder and build the index again"
        ) from error
