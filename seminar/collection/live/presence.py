"""Who has an open socket, here or at another process that serves the study."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from seminar.collection.live.connections import Connections
from seminar.collection.live.signals import LobbyChanged, PresenceChanged, Signals
from seminar.collection.storage import processes
from seminar.collection.storage.database import Database
from seminar.serving.storage.engines import reason_of
from seminar.serving.storage.schema import now

RENEWAL = 2.0  # seconds

log = logging.getLogger("seminar.collection")


class Presence:
    """The sockets of all processes; what this one has is in the database for the others."""

    def __init__(
        self, database: Database, connections: Connections, signals: Signals, serves: str
    ) -> None:
        self._database, self._connections, self._signals = database, connections, signals
        self._serves = serves
        self._elsewhere: defaultdict[str, set[str]] = defaultdict(set)
        self._gone: dict[str, datetime] = {}
        self._is_wrong = False  # what the database has of this process
        self._answered = time.monotonic()

    def is_elsewhere(self, worker: str) -> bool:
        return bool(self._elsewhere.get(worker))

    def is_here(self, worker: str) -> bool:
        return self._connections.is_here(worker) or self.is_elsewhere(worker)

    def workers(self) -> list[str]:
        """Everybody who has a socket somewhere."""
        return list(dict.fromkeys([*self._connections.workers(), *self._elsewhere]))

    def gone_since(self, worker: str, otherwise: datetime) -> datetime | None:
        """Since when a worker has had no socket; `otherwise` if there never was one."""
        if self.is_elsewhere(worker):
            return None
        since = self._connections.gone_since(worker, otherwise)
        return None if since is None else max(since, self._gone.get(worker, since))

    async def start(self) -> None:
        """Join the processes that serve the study; an error if they serve another one."""
        if self._database.is_shared:
            await self._database.write(self._join)

    async def stop(self) -> None:
        if self._database.is_shared:
            await self._change(lambda session: processes.drop(session, self._signals.process))

    async def come(self, worker: str) -> None:
        """A worker opened a socket here."""
        if self._database.is_shared:
            signal = PresenceChanged(worker=worker, here=True)

            def change(session: Session) -> None:
                processes.come(session, self._signals.process, worker)
                self._signals.add(session, signal)

            await self._change(change)

    async def go(self, worker: str) -> None:
        """A worker closed their last socket here."""
        if self._database.is_shared:
            signals = PresenceChanged(worker=worker, here=False), LobbyChanged()

            def change(session: Session) -> None:
                processes.go(session, self._signals.process, worker)
                self._signals.add(session, *signals)

            await self._change(change)

    async def hear(self, signal: PresenceChanged) -> None:
        """Note what another process said of its sockets."""
        if not signal.worker:
            await self.resume()
            return
        self._note(signal.worker, signal.process, here=signal.here)

    async def resume(self) -> None:
        """Read again who is at the other processes."""
        rows = set(await self._database.read(processes.whereabouts))
        known = {(worker, one) for worker, many in self._elsewhere.items() for one in many}
        for worker, process in known - rows:
            self._note(worker, process, here=False)
        for worker, process in rows - known:
            if process != self._signals.process:
                self._note(worker, process, here=True)

    async def renew(self) -> None:
        """Say without end that this process is there, and give up those that don't.

        A process that can't say so closes its sockets: its workers go on at another one.
        """
        while True:
            await asyncio.sleep(RENEWAL)
            try:
                if await self._database.write(self._renewed):
                    await self.resume()
                self._answered = time.monotonic()
            except SQLAlchemyError as error:
                log.warning("the database doesn't answer: %s", reason_of(error))
                self._is_wrong = True
                if time.monotonic() - self._answered > processes.LEASE.total_seconds():
                    self._connections.close_all("the database doesn't answer")

    def _join(self, session: Session) -> None:
        processes.check_alike(session, self._serves)
        processes.register(session, self._signals.process, self._serves, ())

    def _renewed(self, session: Session) -> bool:
        """Renew this process and look for silent ones; whether there were any."""
        process = self._signals.process
        if not processes.renew(session, process) or self._is_wrong:
            workers = self._connections.workers()
            processes.register(session, process, self._serves, workers)
            self._signals.add(session, PresenceChanged())
            self._is_wrong = False
        dropped = processes.drop_silent(session)
        if dropped:
            self._signals.add(session, PresenceChanged(), LobbyChanged())
        return dropped

    async def _change(self, change: Callable[[Session], None]) -> None:
        try:
            await self._database.write(change)
        except SQLAlchemyError as error:
            log.warning("who is here was not stored: %s", reason_of(error))
            self._is_wrong = True

    def _note(self, worker: str, process: str, *, here: bool) -> None:
        if here:
            self._elsewhere[worker].add(process)
            return
        self._elsewhere[worker].discard(process)
        if not self._elsewhere[worker]:
            del self._elsewhere[worker]
            self._gone[worker] = now()
