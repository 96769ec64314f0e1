"""The right to write an index on Milvus: one writer at a time, and a dead one loses it.

Milvus has no transactions, but only one collection of a name can be created: that collection is the
lease, and the name of one of its fields tells its holder. Signs of life are rows of the collection
of files; a lease without one for `LEASE_SECONDS` is taken over.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from seminar.errors import IndexBusyError, IndexStoreError, SeminarError
from seminar.retrieval.engines.milvus.address import MilvusAddress
from seminar.retrieval.engines.milvus.client import CALL_SECONDS, explained
from seminar.retrieval.engines.milvus.collections import FILES, LEASE, record_row
from seminar.retrieval.engines.milvus.rows import Rows

if TYPE_CHECKING:
    from pymilvus import MilvusClient

WRITER = "_writer"
LEASE_SECONDS = 60.0  # more than clocks of machines differ and calls take
BEAT_SECONDS = 10.0
_WAIT = 0.2
_HOLDER = "holder_"


class Sign(msgspec.Struct, frozen=True):
    """A sign of life of the holder."""

    token: str
    holder: str
    time: float


class Lease:
    """The lease of one writer, with a thread that gives signs of life."""

    def __init__(
        self, client: MilvusClient, address: MilvusAddress, *, seconds: float = LEASE_SECONDS
    ) -> None:
        self._seconds = seconds
        self._client = client
        self._address = address
        self._name = f"{address.collection}{WRITER}"
        self._rows = Rows(client, address, f"{address.collection}{FILES}")
        self._token = f"{secrets.token_hex(8)}_{int(time.time())}"
        self._ended = threading.Event()
        # Milvus Lite takes one write to a collection at a time.
        self.writes = threading.Lock()

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Hold the lease, waiting at most `timeout` seconds for another writer."""
        deadline = time.monotonic() + timeout
        while not self._take():
            sign = self._last_sign()
            if sign is not None and time.time() - sign.time > self._seconds:
                self._drop(sign.token)
            elif time.monotonic() > deadline:
                raise IndexBusyError(_busy(self._address, sign, timeout))
            else:
                time.sleep(min(_WAIT, max(deadline - time.monotonic(), 0.0) + 0.001))
        self._give_sign()
        beats = threading.Thread(target=self._beat, daemon=True)
        beats.start()
        try:
            yield
        finally:
            self._ended.set()
            beats.join()
            self._drop(self._token)

    def check(self) -> None:
        """Raise an error if another writer took over, as after this one was stopped for long."""
        if self._holder() != self._token:
            raise IndexStoreError(
                f"another process took over writing {self._address}, since this one gave no sign "
                "of life for too long. Run the command again"
            )

    def _take(self) -> bool:
        from pymilvus import DataType
        from pymilvus.exceptions import MilvusException

        schema = self._client.create_schema(auto_id=False)
        schema.add_field("key", DataType.INT64, is_primary=True)
        schema.add_field(f"{_HOLDER}{self._token}", DataType.INT64)
        schema.add_field("placeholder", DataType.FLOAT_VECTOR, dim=2)
        with explained(self._address):
            if self._client.has_collection(self._name, timeout=CALL_SECONDS):
                return False
            try:
                self._client.create_collection(self._name, schema=schema, timeout=CALL_SECONDS)
            except MilvusException:  # another writer was faster, or it can't be created at all
                if not self._client.has_collection(self._name, timeout=CALL_SECONDS):
                    raise
        return self._holder() == self._token

    def _holder(self) -> str:
        """The token of the holder, or "" where nobody holds the lease."""
        with explained(self._address):
            if not self._client.has_collection(self._name, timeout=CALL_SECONDS):
                return ""
            described = self._client.describe_collection(self._name, timeout=CALL_SECONDS)
        names = [field["name"] for field in described["fields"]]
        return next((name[len(_HOLDER) :] for name in names if name.startswith(_HOLDER)), "")

    def _last_sign(self) -> Sign | None:
        """The last sign of life of the holder; its first is the creation of the lease."""
        holder = self._holder()
        if not holder:
            return None
        rows = self._rows.query(f'key == "{LEASE}"', ["record"])
        try:
            sign = msgspec.json.decode(rows[0]["record"], type=Sign)
        except (LookupError, msgspec.MsgspecError):
            sign = Sign("", "", 0.0)
        begun = holder.rpartition("_")[2]
        first = Sign(holder, "", float(begun) if begun.isdigit() else 0.0)
        return sign if sign.token == holder else first

    def _give_sign(self) -> None:
        sign = Sign(self._token, f"process {os.getpid()} on {socket.gethostname()}", time.time())
        with self.writes:
            self._rows.insert([record_row(LEASE, msgspec.json.encode(sign).decode())])

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            try:
                self._give_sign()
            except SeminarError:
                continue  # the writer meets the same error, and reports it

    def _drop(self, token: str) -> None:
        """Drop the lease if it still has that holder."""
        if self._holder() == token:
            with explained(self._address):
                self._client.drop_collection(self._name, timeout=CALL_SECONDS)


def _busy(address: MilvusAddress, sign: Sign | None, timeout: float) -> str:
    holder = sign.holder if sign is not None and sign.holder else "another process"
    return (
        f"the index {address} is being written by {holder}; gave up after {timeout:g} s. "
        "Wait until it is done, or stop it"
    )
