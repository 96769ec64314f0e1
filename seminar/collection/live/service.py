"""A study being served: its dialogs, its lobby, and the clock that ends what nobody continues."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from seminar.collection.assistant.page_reading import open_page_reader
from seminar.collection.live.abandoned import end_abandoned
from seminar.collection.live.assistants import Assistants
from seminar.collection.live.connections import Connection, Connections
from seminar.collection.live.hearing import hear
from seminar.collection.live.lobby import Lobby
from seminar.collection.live.presence import Presence
from seminar.collection.live.readers import QuestionReader
from seminar.collection.live.room import Room, stored_rooms
from seminar.collection.live.rooms import Rooms
from seminar.collection.live.signals import DialogChanged, Signals, WorkerChanged
from seminar.collection.live.standing import so_far, standing_of, study_state
from seminar.collection.live.tasks import begin_task, finds_uncertain
from seminar.collection.messages.forms import Standing
from seminar.collection.messages.live import StandingChanged
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import Stopped
from seminar.collection.records import Dialog
from seminar.collection.reports.agreement import Agreement
from seminar.collection.storage import lobby
from seminar.collection.storage.database import Database
from seminar.collection.storage.dialogs import live_dialogs
from seminar.collection.storage.withdrawal import dialogs_to_delete, withdraw
from seminar.collection.study.loading import Study
from seminar.serving.identity.limits import Limit
from seminar.serving.problems import Problem, without_database
from seminar.serving.storage.engines import UNREACHABLE

NEWS = 2.0  # seconds between tellings of what there is to do
MESSAGES_PER_MINUTE = 600  # of one worker's sockets
REQUESTS_PER_MINUTE = 600  # of one worker
JOINS_PER_MINUTE = 600  # of one address
DELETED = "your data are deleted"

log = logging.getLogger("seminar.collection")


class StudyService:
    """Everything that requests and sockets share; used in one event loop."""

    def __init__(self, study: Study, database: Database, serves: str = "") -> None:
        self.study, self.database = study, database
        self.connections = Connections()
        self.signals = Signals(database)
        self.presence = Presence(database, self.connections, self.signals, serves)
        self.rooms = Rooms(study, database, self.connections, self.signals)
        self.lobby = Lobby(study, database, self.connections, self.signals, self._opened)
        self.messages = Limit(MESSAGES_PER_MINUTE)
        self.requests = Limit(REQUESTS_PER_MINUTE)
        self.joins = Limit(JOINS_PER_MINUTE)
        self.stopping = threading.Event()
        self.agreement: tuple[object, tuple[Agreement, ...]] | None = None  # and what it is of
        self._tasks: set[asyncio.Task[None]] = set()
        self._assistants: Assistants | None = None
        self._reader: QuestionReader | None = None
        self._has_news = asyncio.Event()  # perhaps there is something to do for who does nothing
        self.rooms.on_end.append(self._after_end)

    async def start(self) -> None:
        """Take up the dialogs that were live when the last process ended."""
        assistant = self.study.table.assistant
        talks, reads = bool(assistant.practice or assistant.drafts), finds_uncertain(self.study)
        if talks or reads:
            loop = asyncio.get_running_loop()
            reader = await loop.run_in_executor(None, open_page_reader, assistant.reader)
        if talks:
            is_here = self.connections.is_here
            self._assistants = Assistants(self.study, self.rooms, reader, self.run, is_here)
        if reads:
            told = self._has_news.set
            self._reader = QuestionReader(self.study, self.database, reader, told)
            self.run(self._reader.run())
        await self.presence.start()
        for room in await self.database.read(lambda session: stored_rooms(session, self.study)):
            self.rooms.add(room)
        self.run(end_abandoned(self.study, self.rooms, self.presence))
        self.run(self._tell_news())
        if self.database.is_shared:
            self.run(self.signals.listen(partial(hear, self), self._resume))
            self.run(self.presence.renew())
        else:
            await self.database.write(lobby.empty)

    async def stop(self) -> None:
        self.connections.close_all("the server stops")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for helper in (self._assistants, self._reader):
            if helper:
                helper.close()
        await self.rooms.settle()
        await self.presence.stop()
        self.database.close()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside everything else, until it or the service ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def standing(self, worker: str) -> Standing:
        """Where a worker stands now."""
        found = await self.database.read(lambda session: standing_of(session, self.study, worker))
        if found is None:
            raise Problem(401, "The token is not valid (any more): open the study's link again.")
        return found

    async def tell_standing(self, worker: str) -> None:
        """Send a worker's sockets where they stand, at all processes."""
        if self.presence.is_elsewhere(worker):
            self.signals.send(WorkerChanged(worker=worker))
        await self.show_standing(worker)

    async def tell_everybody(self) -> None:
        """Send all who are at this process where they stand, and pair who waits."""
        self.lobby.wake()
        for worker in self.connections.workers():
            await self.show_standing(worker)

    async def show_standing(self, worker: str) -> None:
        """Send a worker's sockets at this process where they stand."""
        if self.connections.is_here(worker):
            with contextlib.suppress(Problem):
                message = StandingChanged(standing=await self.standing(worker))
                self.connections.send(worker, message)

    async def _opened(self, dialog: str) -> None:
        """Show a dialog that was stored to its people."""
        for room in await self.database.read(
            lambda session: stored_rooms(session, self.study, dialog)
        ):
            self.rooms.add(room)

    async def begin_task(self, worker: str, task: str, role: str) -> Dialog:
        """Begin a task that is done alone."""
        async with self.lobby.lock:
            standing = await self.standing(worker)
            if standing.step not in ("lobby", "done") or task not in standing.tasks:
                raise Problem(409, f"There is no task {task!r} for you now.")
            state = await self.database.read(study_state)
            if state != "open":
                raise Problem(409, f"The study is {state}.")

            def choose(session: Session) -> list[Dialog]:
                known = so_far(session, self.study)
                chosen = begin_task(self.study, worker, task, role, known)
                return [chosen] if chosen else []

            begun = await self.lobby.begin(choose)
        if not begun:
            raise Problem(409, f"There is no task {task!r} for you now.")
        return begun[0]

    async def connected(self, connection: Connection) -> None:
        """A worker opened a socket: show them their dialog, and them to their partner."""
        worker = connection.worker
        self.connections.add(connection)
        await self.presence.come(worker)
        if self.database.is_shared:  # another process may have gone on with it a moment ago
            try:
                own = await self.database.read(lambda session: lobby.live_dialog(session, worker))
                await self.rooms.follow(own or "")
            except UNREACHABLE as error:
                connection.close(without_database(error).detail, again=True)
        room = self.rooms.of(worker)
        if room is not None:
            connection.send(self.rooms.view(room, room.role_of(worker)))
            self.rooms.tell_partner(room, worker, "here")
            if self._assistants:
                self._assistants.look(room)

    async def disconnected(self, connection: Connection) -> None:
        """A socket closed; without another one the worker is away."""
        if not self.connections.remove(connection):
            return
        await self.presence.go(connection.worker)
        if self.presence.is_elsewhere(connection.worker):
            return
        with contextlib.suppress(*UNREACHABLE):  # they are no longer present, so they don't wait
            await self.lobby.exit(connection.worker)
        room = self.rooms.of(connection.worker)
        if room is not None:
            grace = self.study.table.times.grace
            self.rooms.tell_partner(room, connection.worker, "away", grace)

    async def end(self, room: Room, why: str, role: str = "") -> None:
        """End a dialog now; nothing happens if it ended meanwhile."""
        with contextlib.suppress(Refused):
            await self.rooms.act_as_server(room, Stopped(why=why, role=role))

    async def withdraw(self, worker: str) -> None:
        """End what a worker is in, and delete everything of them."""
        await self.lobby.exit(worker)
        affected = await self.database.read(lambda session: dialogs_to_delete(session, worker))
        for dialog in affected:
            room = self.rooms.find(dialog)
            if room is not None:
                await self.end(room, "stopped", room.role_of(worker))

        def change(session: Session) -> None:
            deleted = [DialogChanged(dialog=one) for one in withdraw(session, worker)]
            closing = WorkerChanged(worker=worker, closing=DELETED)
            self.signals.add(session, *deleted, closing)

        await self.database.write(change)
        self.connections.close(worker, DELETED)
        await self.database.forget_deleted()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a task of the study failed", exc_info=task.exception())

    def _after_end(self, room: Room) -> None:
        for worker in room.people.values():
            self.run(self.show_standing(worker))
        self.lobby.wake()
        self._has_news.set()
        if self._reader:
            self._reader.look()

    async def _tell_news(self) -> None:
        """Tell those who do nothing where they stand, now and then, when that may have changed."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            for worker in self.connections.workers():
                if self.rooms.of(worker) is None and not self.lobby.has(worker):
                    await self.show_standing(worker)
            await asyncio.sleep(NEWS)

    async def _resume(self) -> None:
        """Look at all that others may have done while they were not heard."""
        await self.presence.resume()
        await self.lobby.resume()
        live = await self.database.read(live_dialogs)
        for dialog in {*live, *(room.dialog.id for room in self.rooms.all())}:
            await self.rooms.follow(dialog)
        self.lobby.wake()
