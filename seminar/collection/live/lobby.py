"""The lobby: who waits for a partner, and the pairing of those who do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from seminar.collection.live.connections import Connections
from seminar.collection.live.matching import StudySoFar, Waiting, match
from seminar.collection.live.standing import so_far, study_state
from seminar.collection.live.tasks import may_begin
from seminar.collection.messages import live
from seminar.collection.records import Dialog, Role
from seminar.collection.storage.database import Database
from seminar.collection.storage.workers import background_results, inclinations_of
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import now

SOON = 0.05  # seconds in which others who enter are paired together
AGAIN = 2.0  # seconds after which those who still wait are looked at again

log = logging.getLogger("seminar.collection")


class Lobby:
    """The waiting workers, the longest wait first."""

    def __init__(
        self,
        study: Study,
        database: Database,
        connections: Connections,
        begin: Callable[[Dialog], Awaitable[None]],
    ) -> None:
        self._study, self._database, self._connections = study, database, connections
        self._begin = begin
        self._waiting: dict[str, Waiting] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.lock = asyncio.Lock()

    def has(self, worker: str) -> bool:
        return worker in self._waiting

    def count(self) -> int:
        return len(self._waiting)

    async def enter(self, worker: str, role: Role) -> None:
        """Wait for a partner; who waits already only changes the wished role."""
        earlier = self._waiting.get(worker)
        if earlier is not None:
            self._waiting[worker] = replace(earlier, role=role)
        else:
            self._waiting[worker] = await self._database.read(
                lambda session: _waiting(session, worker, role, now())
            )
        self._tell()
        self.wake()

    async def exit(self, worker: str) -> bool:
        """Wait no longer; whether the worker did."""
        if self._waiting.pop(worker, None) is None:
            return False
        self._tell()
        return True

    def wake(self, after: float = SOON) -> None:
        """Pair those who wait, soon."""
        if self._waiting and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(after, self._start)

    def _start(self) -> None:
        self._timer = None
        task = asyncio.get_running_loop().create_task(self._pair())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _pair(self) -> None:
        """Pair those who wait; whatever goes wrong, those who still wait are looked at again."""
        try:
            await self._begin_dialogs()
        except SQLAlchemyError:
            log.exception("pairing failed")
        self._tell()
        self.wake(AGAIN)

    async def _begin_dialogs(self) -> None:
        """Begin the dialogs that fit; one at a time, so that nobody is in two."""
        async with self.lock:
            people = list(self._waiting.values())
            for dialog in await self._database.read(lambda one: self._match(one, people)):
                workers = [seat.worker for seat in dialog.seats]
                if not all(worker in self._waiting for worker in workers):
                    continue
                for worker in workers:
                    del self._waiting[worker]
                await self._begin(dialog)

    def _match(self, session: Session, people: list[Waiting]) -> list[Dialog]:
        if study_state(session) != "open":
            return []
        known: StudySoFar = so_far(session, self._study)
        wanted = [one for one in people if may_begin(self._study, one.worker, known)]
        return match(self._study, wanted, known, now())

    def _tell(self) -> None:
        at = now()
        for one in self._waiting.values():
            since = (at - one.since).total_seconds()
            message = live.Waiting(since=since, people=len(self._waiting))
            self._connections.send(one.worker, message)


def _waiting(session: Session, worker: str, role: Role, at: datetime) -> Waiting:
    inclinations = inclinations_of(session, worker)
    return Waiting(worker, role, at, inclinations, background_results(session, worker))
