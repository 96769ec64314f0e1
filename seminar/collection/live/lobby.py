"""The lobby: who waits for a partner, and the pairing of those who do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from seminar.collection.live.connections import Connections
from seminar.collection.live.matching import StudySoFar, Waiting, match
from seminar.collection.live.signals import DialogChanged, LobbyChanged, Signals
from seminar.collection.live.standing import so_far, study_state
from seminar.collection.live.tasks import may_begin
from seminar.collection.messages import live
from seminar.collection.protocols.activity import Refused
from seminar.collection.records import Dialog, Role
from seminar.collection.storage import lobby
from seminar.collection.storage.database import Database
from seminar.collection.storage.workers import background_results, inclinations_of
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import now

SOON = 0.05  # seconds in which others who enter are paired together
AGAIN = 2.0  # seconds after which those who still wait are looked at again
TRIES = 5  # where dialogs begin and end elsewhere while these are decided on

log = logging.getLogger("seminar.collection")

Decide = Callable[[Session], list[Dialog]]


class Lobby:
    """The waiting workers of all processes, as the database had them last."""

    def __init__(
        self,
        study: Study,
        database: Database,
        connections: Connections,
        signals: Signals,
        opened: Callable[[str], Awaitable[None]],
    ) -> None:
        self._study, self._database, self._connections = study, database, connections
        self._signals, self._opened = signals, opened
        self._waiting: dict[str, datetime] = {}  # since when
        self._timer: asyncio.TimerHandle | None = None
        self._running: set[asyncio.Task[None]] = set()
        self.lock = asyncio.Lock()

    def has(self, worker: str) -> bool:
        return worker in self._waiting

    def count(self) -> int:
        return len(self._waiting)

    async def enter(self, worker: str, role: Role) -> None:
        """Wait for a partner; who waits already only changes the wished role."""

        def change(session: Session) -> bool:
            self._signals.add(session, LobbyChanged())
            return lobby.enter(session, worker, role)

        if not await self._database.write(change):
            raise Refused("lobby", "you are in a dialog already")
        await self.resume()
        self.wake()

    async def exit(self, worker: str) -> bool:
        """Wait no longer; whether the worker did."""
        if worker not in self._waiting and not self._database.is_shared:
            return False

        def change(session: Session) -> bool:
            left = lobby.leave(session, worker)
            if left:
                self._signals.add(session, LobbyChanged())
            return left

        left = await self._database.write(change)
        if left:
            await self.resume()
        return left

    async def resume(self) -> None:
        """Read again who waits, and tell those of them who are here."""
        found = await self._database.read(lobby.waiting)
        self._waiting = {worker: since for worker, _, since in found}
        at = now()
        for worker, since in self._waiting.items():
            waited = max(0.0, (at - since).total_seconds())
            message = live.Waiting(since=waited, people=len(self._waiting))
            self._connections.send(worker, message)

    def wake(self, after: float = SOON) -> None:
        """Pair those who wait, soon."""
        if self._waiting and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(after, self._start)

    async def begin(self, decide: Decide) -> list[Dialog]:
        """Begin what is decided over the study so far; decided again where that has changed."""
        for _ in range(TRIES):
            decided, dialogs = await self._database.read(lambda one: self._decided(one, decide))
            if not dialogs:
                return []
            store = partial(self._begun, dialogs=dialogs, decided=decided)
            begun = await self._database.write(store)
            if begun is not None:
                for dialog in begun:
                    await self._opened(dialog.id)
                return begun
        return []

    def _decided(self, session: Session, decide: Decide) -> tuple[object, list[Dialog]]:
        state = lobby.decisions_state(session)  # before what it is the state of
        return state, decide(session)

    def _begun(
        self, session: Session, dialogs: list[Dialog], decided: object
    ) -> list[Dialog] | None:
        begun = lobby.begin(session, dialogs, decided)
        if begun:
            changed = [DialogChanged(dialog=dialog.id) for dialog in begun]
            self._signals.add(session, *changed, LobbyChanged())
        return begun

    def _start(self) -> None:
        self._timer = None
        task = asyncio.get_running_loop().create_task(self._pair())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _pair(self) -> None:
        """Pair those who wait; whatever goes wrong, those who still wait are looked at again."""
        try:
            async with self.lock:
                await self.begin(self._match)
            await self.resume()
        except SQLAlchemyError:
            log.exception("pairing failed")
        self.wake(AGAIN)

    def _match(self, session: Session) -> list[Dialog]:
        if study_state(session) != "open":
            return []
        known: StudySoFar = so_far(session, self._study)
        people = [self._person(session, *one) for one in lobby.waiting(session)]
        wanted = [one for one in people if may_begin(self._study, one.worker, known)]
        return match(self._study, wanted, known, now())

    def _person(self, session: Session, worker: str, role: Role, since: datetime) -> Waiting:
        if self._study.protocol.needs != "topics":
            return Waiting(worker, role, since)
        levels, tests = inclinations_of(session, worker), background_results(session, worker)
        return Waiting(worker, role, since, levels, tests)
