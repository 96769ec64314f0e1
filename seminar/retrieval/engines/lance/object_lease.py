"""The right to write an index on object storage: a row of the catalog, renewed while it is held.

A row is replaced only where nobody else has replaced it, so that one of several takes the lease.
A holder that gave no sign of life for `LEASE_SECONDS` loses it.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from seminar.errors import IndexBusyError, IndexStoreError, SeminarError
from seminar.retrieval.engines.lance.object_catalog import ObjectCatalog

KEY = "lease"
LEASE_SECONDS = 60.0  # more than clocks of machines differ and calls take
BEAT_SECONDS = 10.0
_PAUSE = 0.5  # between attempts to take it


class Holder(msgspec.Struct, frozen=True):
    """Who writes, since the last sign of life; nobody with an empty token."""

    token: str = ""
    process: str = ""
    time: float = 0.0


class Lease:
    """The lease of one writer, with a thread that renews it."""

    def __init__(self, catalog: ObjectCatalog, *, seconds: float = LEASE_SECONDS) -> None:
        self._catalog = catalog
        self._seconds = seconds
        self._token = secrets.token_hex(8)
        self._ended = threading.Event()
        self._renewing = threading.Lock()
        self._renewed = 0.0  # by the clock that is never set
        self._lost = False

    @contextmanager
    def held(self, timeout: float) -> Iterator[None]:
        """Hold the lease, waiting at most `timeout` seconds for another writer."""
        self._take(timeout)
        beats = threading.Thread(target=self._beat, daemon=True)
        beats.start()
        try:
            yield
        finally:
            self._ended.set()
            beats.join()
            self._give_back()

    def check(self) -> None:
        """Raise an error if another writer took over, as after this one was stopped for long."""
        if time.monotonic() - self._renewed > self._seconds / 2:
            self._renew()
        if self._lost:
            raise IndexStoreError(
                f"another process took over writing {self._catalog.place}, since this one gave no "
                "sign of life for too long. Run the command again"
            )

    def _take(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while True:
            stored = self._catalog.value(KEY)
            holder = self._catalog.get(KEY, Holder) or Holder()
            begun = time.monotonic()
            is_free = not holder.token or time.time() - holder.time > self._seconds
            if is_free and self._catalog.replace(KEY, stored, self._sign()):
                self._renewed = begun
                return
            if time.monotonic() > deadline:
                raise IndexBusyError(
                    f"the index in {self._catalog.place} is being written by "
                    f"{holder.process or 'another process'}; gave up after {timeout:g} s. "
                    "Wait until it is done, or stop it"
                )
            time.sleep(min(_PAUSE, max(deadline - time.monotonic(), 0.0) + 0.001))

    def _sign(self) -> Holder:
        process = f"process {os.getpid()} on {socket.gethostname()}"
        return Holder(self._token, process, time.time())

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_SECONDS):
            try:
                self._renew()
            except SeminarError:
                continue  # the writer meets the same error, and reports it

    def _renew(self) -> None:
        with self._renewing:
            begun = time.monotonic()
            if self._replaced(self._sign()):
                self._renewed = begun
            else:
                self._lost = True

    def _give_back(self) -> None:
        if not self._lost:
            self._replaced(Holder())

    def _replaced(self, sign: Holder) -> bool:
        stored = self._catalog.value(KEY)
        holder = self._catalog.get(KEY, Holder) or Holder()
        return holder.token == self._token and self._catalog.replace(KEY, stored, sign)
