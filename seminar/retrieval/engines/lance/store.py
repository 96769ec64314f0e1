"""The embedded index: a folder with a LanceDB table and the catalog of its published version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
from seminar.retrieval.engines.lance.searching import LanceIndex, check_encoder, check_format
from seminar.retrieval.engines.lance.table import (
    connect,
    open_version,
    remove_unpublished,
    unpublished,
)
from seminar.retrieval.engines.lance.table_files import check
from seminar.retrieval.engines.lance.writer import LanceWriter

if TYPE_CHECKING:
    from lancedb.table import Table

LOCK_SECONDS = 10.0


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
    check_format(folder, description.format, usable=USABLE, latest=FORMAT)
    return description


class LanceStore(LanceIndex):
    """A `FileIndex` in a folder; searches see what was published when it was opened."""

    def __init__(self, folder: Path, *, encoder: str, dimensions: int) -> None:
        made = describe(folder)
        check_encoder(folder, made, encoder, dimensions)
        self.folder = self.place = folder
        self.encoder_name = encoder
        self.dimensions = dimensions
        self._catalog: Catalog = Catalog(folder)
        self._readers = Readers(folder)
        check(folder / TABLE, self._catalog.table_files)
        self._database = connect(folder)
        self.refresh()

    @classmethod
    def create(cls, folder: Path, *, encoder: str, dimensions: int) -> LanceStore:
        """Open the index in a folder, creating it first if the folder is missing or empty."""
        if not is_index(folder) or is_outdated(folder):
            create_empty(folder, encoder, dimensions)
        return cls(folder, encoder=encoder, dimensions=dimensions)

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

    @contextmanager
    def writer(
        self, *, timeout: float = 10.0, reader_seconds: float = 3_600.0
    ) -> Iterator[LanceWriter]:
        """Open the only writer; leaving publishes, an exception discards what was not published.

        Waits `timeout` seconds for another writer; others that have the index open can read their
        version for another `reader_seconds`.
        """
        with writing(self.folder, timeout=timeout):
            remove_unpublished(self.folder / TABLE, self._catalog.version())
            writer = LanceWriter(self._catalog, self._database, dimensions=self.dimensions)
            yield writer
            writer.publish()
            settled = writer.optimize_if_due()
            self.refresh()
            if settled:
                with self._readers.alone() as alone:
                    writer.clean_up(reader_seconds=0.0 if alone else reader_seconds)
