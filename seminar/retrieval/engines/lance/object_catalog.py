"""The catalog of an index on object storage: a table of its own beside that of the passages.

A commit to a table is one conditional put of its manifest, so that one commit to this table makes
a version of the other one and the records of its files visible at once.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import msgspec

from seminar.errors import IndexDamagedError, IndexStoreError
from seminar.index_url import IndexUrl
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance import library as lance
from seminar.retrieval.engines.lance.table import explained
from seminar.retrieval.file_index import FileRecord

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from lancedb.db import DBConnection
    from lancedb.table import Table

NAME = "catalog"
FORMAT = 1  # of indexes on object storage
# Seconds that pass before an error is given, beyond those that answers take.
_OPTIONS = {
    "connect_timeout": "5s",
    "timeout": "60s",
    "client_max_retries": "4",
    "client_retry_timeout": "60",
}
KEPT = timedelta(hours=1)  # versions of the catalog itself, which readers open for a moment
_DESCRIPTION = "description"
_FILE = "file:"
_PUBLICATION = "publication:"
_CHECKSUM = 8  # hexadecimal digits before each value
_Kind = TypeVar("_Kind")


class Published(msgspec.Struct, frozen=True):
    """A version of the table of passages that was published, when it was begun and when so."""

    version: int
    begun: float
    published: float


def connect(place: IndexUrl) -> DBConnection:
    """Open the database at a URL; the credentials are those of the environment."""
    with explained(place):
        database: DBConnection = lance.load().connect(place.text, storage_options=_OPTIONS)
        return database


def schema() -> pa.Schema:
    """A key and a value, JSON after a checksum of both."""
    import pyarrow as pa

    return pa.schema([("key", pa.string()), ("value", pa.string())])


def rows(values: Mapping[str, object]) -> pa.Table:
    """The rows for values by key; those that are None are of no effect any longer."""
    import pyarrow as pa

    encoded = {key: _encode(key, value) for key, value in values.items()}
    columns = {"key": list(encoded), "value": list(encoded.values())}
    return pa.table(columns, schema=schema())


class ObjectCatalog:
    """The catalog of the index at a URL; each call reads its latest version, or makes one."""

    def __init__(self, database: DBConnection, place: IndexUrl) -> None:
        self.place = place
        self._database = database

    def exists(self) -> bool:
        """Whether there is a catalog, also one of an index whose creation was interrupted."""
        with explained(self.place):
            return NAME in self._database.list_tables(limit=1_000).tables

    def create(self, values: Mapping[str, object]) -> None:
        """Create the catalog, if there is none; of several processes one does."""
        with explained(self.place):
            try:
                self._database.create_table(NAME, rows(values), mode="create")
            except ValueError as error:
                if "already exists" not in str(error):
                    raise

    def table(self) -> Table:
        """The latest version of the table."""
        with explained(self.place):
            table = self._database.open_table(NAME)
            if table.schema != schema():
                raise IndexDamagedError(
                    f"the catalog of the index in {self.place} has columns that Seminar didn't make"
                )
            return table

    def describe(self, made: Description) -> None:
        self.put({_DESCRIPTION: made})

    def description(self) -> Description:
        """The format and the encoder."""
        found = self.get(_DESCRIPTION, Description)
        if found is None:
            raise IndexStoreError(
                f"the index in {self.place} was not made completely. "
                f"Make it again: seminar index PATH --to {self.place}"
            )
        return found

    def version(self) -> int:
        """The table version that readers see."""
        return max(self._publications(), key=lambda one: one.version).version

    def files(self) -> dict[str, FileRecord]:
        every = self._below(_FILE, FileRecord)
        return {record.path: record for record in every}

    def publish(
        self,
        version: int,
        *,
        begun: float,
        records: Iterable[FileRecord] = (),
        removed: Iterable[str] = (),
    ) -> None:
        """Make a version of the table and the records of files visible in one commit."""
        self.check_writer()
        values: dict[str, object] = {_FILE + path: None for path in removed}
        values |= {_FILE + record.path: record for record in records}
        values[_publication(version)] = Published(version, begun, time.time())
        self.put(values)

    def check_writer(self) -> None:
        """Raise an error if the right to write has been lost; the lease of a writer says so."""

    def forget_publications(self, before: float) -> float:
        """Forget those superseded before a time; return when the oldest of the rest was begun."""
        every = self._publications()
        oldest = max((one.version for one in every if one.published <= before), default=0)
        gone = {_publication(one.version): None for one in every if one.version < oldest}
        if gone:
            self.put(gone)
        return min(one.begun for one in every if one.version >= oldest)

    def forget_deleted(self) -> None:
        """Forget rows without effect, and compact the catalog itself."""
        table = self.table()
        with explained(self.place):
            table.delete("value = ''")
            table.optimize(cleanup_older_than=KEPT)

    def put(self, values: Mapping[str, object]) -> None:
        """Write values by key in one commit."""
        merge = self.table().merge_insert("key").when_matched_update_all()
        with explained(self.place):
            merge.when_not_matched_insert_all().execute(rows(values))

    def get(self, key: str, kind: type[_Kind]) -> _Kind | None:
        """The value of a key, or None."""
        value = self.value(key)
        return self._decode(key, value, kind) if value else None

    def value(self, key: str) -> str:
        """The value of a key as it is stored, or an empty one."""
        from lancedb.expr import col, lit

        with explained(self.place):
            found = self.table().search().where(col("key") == lit(key)).limit(2).to_list()
        return str(found[0]["value"]) if found else ""

    def replace(self, key: str, old: str, new: object) -> bool:
        """Replace a stored value by another one, unless it has changed; whether that was done."""
        value = _encode(key, new)
        condition = f"key = {_quoted(key)} AND value = {_quoted(old)}"
        table = self.table()
        with explained(self.place):
            return table.update(where=condition, values={"value": value}).rows_updated == 1

    def _publications(self) -> list[Published]:
        every = self._below(_PUBLICATION, Published)
        if not every:
            raise IndexStoreError(
                f"the index in {self.place} was not made completely. "
                f"Make it again: seminar index PATH --to {self.place}"
            )
        return every

    def _below(self, prefix: str, kind: type[_Kind]) -> list[_Kind]:
        from lancedb.expr import col, lit

        table = self.table()
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        within = (col("key") >= lit(prefix)) & (col("key") < lit(end))
        with explained(self.place):
            found = table.search().where(within).limit(table.count_rows()).to_list()
        return [self._decode(row["key"], row["value"], kind) for row in found if row["value"]]

    def _decode(self, key: str, value: str, kind: type[_Kind]) -> _Kind:
        given, content = value[:_CHECKSUM], value[_CHECKSUM:]
        try:
            if given != _checksum(key, content):
                raise ValueError("it is not as it was written")
            return msgspec.json.decode(content, type=kind)
        except (msgspec.MsgspecError, ValueError) as error:
            raise IndexDamagedError(
                f"the index in {self.place} is damaged (the value '{key[:100]}' of its catalog: "
                f"{str(error)[:100]}). Build it again in another place"
            ) from None


def _publication(version: int) -> str:
    return f"{_PUBLICATION}{version:020}"


def _encode(key: str, value: object) -> str:
    if value is None:
        return ""
    content = msgspec.json.encode(value).decode()
    return _checksum(key, content) + content


def _checksum(key: str, content: str) -> str:
    return f"{zlib.crc32(content.encode(), zlib.crc32(key.encode())):08x}"


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
