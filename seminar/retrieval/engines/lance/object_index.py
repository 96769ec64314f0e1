"""An index on object storage, as `s3://bucket/path`: many readers, and one writer by a lease."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from seminar.errors import IndexStoreError
from seminar.index_url import IndexUrl
from seminar.protocols import Encoder
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.object_catalog import FORMAT, ObjectCatalog, connect
from seminar.retrieval.engines.lance.object_lease import KEY, Holder, Lease
from seminar.retrieval.engines.lance.repair import passage_faults
from seminar.retrieval.engines.lance.searching import LanceIndex, check_encoder, check_format
from seminar.retrieval.engines.lance.table import make_table
from seminar.retrieval.engines.lance.writer import LanceWriter
from seminar.retrieval.file_index import FileIndex, Repair
from seminar.types import Query

LOCK_SECONDS = 60.0  # for another process that makes the same index


class ObjectIndex(LanceIndex):
    """A `FileIndex` at a URL; searches see what was published when it was opened."""

    place: IndexUrl

    def __init__(self, place: IndexUrl, *, encoder: str, dimensions: int) -> None:
        self.place = place
        self.encoder_name = encoder
        self.dimensions = dimensions
        self._database = connect(place)
        self._catalog: ObjectCatalog = ObjectCatalog(self._database, place)
        check_encoder(place, described(self._catalog), encoder, dimensions)
        self.refresh()

    @contextmanager
    def writer(
        self, *, timeout: float = 10.0, reader_seconds: float = 3_600.0
    ) -> Iterator[LanceWriter]:
        """Open the only writer; leaving publishes, an exception discards what was not published.

        Waits `timeout` seconds for another writer; readers can read their version for another
        `reader_seconds`.
        """
        lease = Lease(self._catalog)
        with lease.held(timeout):
            catalog = _Leased(self._database, self.place, lease)
            writer = LanceWriter(catalog, self._database, dimensions=self.dimensions)
            yield writer
            writer.publish()
            settled = writer.optimize_if_due()
            self.refresh()
            if settled:
                writer.clean_up(reader_seconds=reader_seconds)

    def passage_faults(self) -> list[str]:
        """The files of which passages are damaged or missing, a line each."""
        return passage_faults(self.place, self._table, self.files())


class _Leased(ObjectCatalog):
    """The catalog as the holder of a lease uses it."""

    def __init__(self, database: object, place: IndexUrl, lease: Lease) -> None:
        super().__init__(database, place)  # type: ignore[arg-type]
        self._lease = lease

    def check_writer(self) -> None:
        self._lease.check()


def described(catalog: ObjectCatalog) -> Description:
    """The format and the encoder of an index, or the error that says what to do."""
    if not catalog.exists():
        raise IndexStoreError(
            f"there is no index at {catalog.place}. "
            f"Make one: seminar index PATH --to {catalog.place}"
        )
    description = catalog.description()
    check_format(catalog.place, description.format, usable=FORMAT, latest=FORMAT)
    return description


def create_empty(place: IndexUrl, encoder: str, dimensions: int) -> None:
    """Make an index without files, if there is none; one whose creation was interrupted is made."""
    database = connect(place)
    catalog = ObjectCatalog(database, place)
    if not catalog.exists():
        catalog.create({KEY: Holder()})
    elif catalog.value("description"):
        return
    with Lease(catalog).held(LOCK_SECONDS):
        if not catalog.value("description"):
            begun = time.time()
            version = make_table(database, place, dimensions).version
            catalog.publish(version, begun=begun)
            catalog.describe(Description(FORMAT, encoder, dimensions))


class ObjectEngine:
    """Keeps indexes on object storage: S3 and what speaks its protocol, Google's and Azure's."""

    def exists(self, place: IndexUrl) -> bool:
        return ObjectCatalog(connect(place), place).exists()

    def describe(self, place: IndexUrl) -> Description:
        return described(ObjectCatalog(connect(place), place))

    def is_outdated(self, place: IndexUrl) -> bool:
        """Whether its creation was interrupted, so that it has no encoder yet."""
        return not ObjectCatalog(connect(place), place).value("description")

    def create(self, place: IndexUrl, *, encoder: str, dimensions: int) -> FileIndex:
        create_empty(place, encoder, dimensions)
        return ObjectIndex(place, encoder=encoder, dimensions=dimensions)

    def open(self, place: IndexUrl, *, encoder: str, dimensions: int) -> FileIndex:
        return ObjectIndex(place, encoder=encoder, dimensions=dimensions)

    def verify(self, place: IndexUrl) -> list[str]:
        """The files whose passages are missing or damaged, and searches that fail."""
        try:
            made = self.describe(place)
            index = ObjectIndex(place, encoder=made.encoder, dimensions=made.dimensions)
            wrong = index.passage_faults()
            index.search_text([Query("the")], k=1)
            index.search_vector([Query("", vector=np.ones(made.dimensions, np.float32))], k=1)
        except (IndexStoreError, ValueError) as error:
            return [str(error)]
        return wrong

    def repair(self, place: IndexUrl, load: Callable[[str], Encoder]) -> Repair:
        """Nothing is repaired in its place: the storage keeps its objects whole."""
        wrong = self.verify(place)
        if wrong:
            raise IndexStoreError(
                f"the index in {place} is damaged ({wrong[0]}) and is not repaired in its place. "
                "Index the files again at another URL"
            )
        files = ObjectCatalog(connect(place), place).files()
        return Repair(kept=len(files), lost=(), rebuilt=False)
