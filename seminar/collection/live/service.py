"""A study being served: its dialogs, its lobby, and the clock that ends what nobody continues."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Coroutine, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from seminar.collection.assistant.page_reading import open_page_reader
from seminar.collection.live.assistants import Assistants
from seminar.collection.live.connections import Connection, Connections
from seminar.collection.live.frames import deadline_of
from seminar.collection.live.lobby import Lobby
from seminar.collection.live.readers import QuestionReader
from seminar.collection.live.room import Room
from seminar.collection.live.rooms import Rooms
from seminar.collection.live.standing import so_far, standing_of, study_state
from seminar.collection.live.tasks import begin_task, finds_uncertain
from seminar.collection.messages.forms import Standing
from seminar.collection.messages.live import StandingChanged
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import Away, Idle, Stopped, replayed
from seminar.collection.records import ASSISTANT, Dialog, Turn
from seminar.collection.reports.agreement import Agreement
from seminar.collection.storage.database import Database
from seminar.collection.storage.dialogs import actions_of, add_dialog, dialogs_where
from seminar.collection.storage.schema import DialogRow
from seminar.collection.storage.snapshots import scene_of, turns_of
from seminar.collection.storage.withdrawal import dialogs_to_delete, withdraw
from seminar.collection.study.loading import Study
from seminar.serving.identity.limits import Limit
from seminar.serving.problems import Problem
from seminar.serving.storage.schema import now

TICK = 0.25  # seconds between looks at the clock
NEWS = 2.0  # seconds between tellings of what there is to do
MESSAGES_PER_MINUTE = 600  # of one worker's sockets
REQUESTS_PER_MINUTE = 600  # of one worker
JOINS_PER_MINUTE = 600  # of one address

log = logging.getLogger("seminar.collection")


class StudyService:
    """Everything that requests and sockets share; used in one event loop."""

    def __init__(self, study: Study, database: Database) -> None:
        self.study, self.database = study, database
        self.connections = Connections()
        self.rooms = Rooms(study, database, self.connections)
        self.lobby = Lobby(study, database, self.connections, self.open)
        self.messages = Limit(MESSAGES_PER_MINUTE)
        self.requests = Limit(REQUESTS_PER_MINUTE)
        self.joins = Limit(JOINS_PER_MINUTE)
        self.stopping = threading.Event()
        self.started = now()
        self.agreement: tuple[object, tuple[Agreement, ...]] | None = None  # and what it is of
        self._tasks: set[asyncio.Task[None]] = set()
        self._assistants: Assistants | None = None
        self._reader: QuestionReader | None = None
        self._has_news = (
            asyncio.Event()
        )  # perhaps there is something else to do for who does nothing
        self.rooms.on_end.append(self._after_end)

    async def start(self) -> None:
        """Take up the dialogs that were live when the last process ended."""
        assistant = self.study.table.assistant
        talks, reads = bool(assistant.practice or assistant.drafts), finds_uncertain(self.study)
        if talks or reads:
            loop = asyncio.get_running_loop()
            reader = await loop.run_in_executor(None, open_page_reader, assistant.reader)
        if talks:
            self._assistants = Assistants(self.study, self.rooms, reader, self.run)
        if reads:
            told = self._has_news.set
            self._reader = QuestionReader(self.study, self.database, reader, told)
            self.run(self._reader.run())
        for room in await self.database.read(self._stored_rooms):
            self.rooms.add(room)
        self.run(self._watch())
        self.run(self._tell_news())

    async def stop(self) -> None:
        self.connections.close_all("the server stops")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for helper in (self._assistants, self._reader):
            if helper:
                helper.close()
        await self.rooms.settle()
        self.database.close()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside everything else, until it or the service ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def standing(self, worker: str) -> Standing:
        """Where a worker stands now."""
        waits = self.lobby.has(worker)
        found = await self.database.read(
            lambda session: standing_of(session, self.study, worker, waits=waits)
        )
        if found is None:
            raise Problem(401, "The token is not valid (any more): open the study's link again.")
        return found

    async def tell_standing(self, worker: str) -> None:
        """Send a worker's sockets where they stand."""
        if self.connections.is_here(worker):
            with contextlib.suppress(Problem):
                message = StandingChanged(standing=await self.standing(worker))
                self.connections.send(worker, message)

    async def open(self, dialog: Dialog) -> None:
        """Store a new dialog, and show it to its people."""
        about = await self.database.write(lambda session: self._add(session, dialog))
        self.rooms.add(self._room(dialog, about))

    async def begin_task(self, worker: str, task: str, role: str) -> Dialog:
        """Begin a task that is done alone."""
        async with self.lobby.lock:
            standing = await self.standing(worker)
            if standing.step not in ("lobby", "done") or task not in standing.tasks:
                raise Problem(409, f"There is no task {task!r} for you now.")
            state = await self.database.read(study_state)
            if state != "open":
                raise Problem(409, f"The study is {state}.")

            def choose(session: Session) -> Dialog | None:
                known = so_far(session, self.study)
                return begin_task(self.study, worker, task, role, known)

            dialog = await self.database.read(choose)
            if dialog is None:
                raise Problem(409, f"There is no task {task!r} for you now.")
            await self.open(dialog)
        return dialog

    def connected(self, connection: Connection) -> None:
        """A worker opened a socket: show them their dialog, and them to their partner."""
        self.connections.add(connection)
        room = self.rooms.of(connection.worker)
        if room is not None:
            role = room.role_of(connection.worker)
            connection.send(self.rooms.view(room, role))
            self.rooms.tell_partner(room, connection.worker, "here")

    async def disconnected(self, connection: Connection) -> None:
        """A socket closed; without another one the worker is away."""
        if not self.connections.remove(connection):
            return
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
        await self.database.write(lambda session: withdraw(session, worker))
        self.connections.close(worker, "your data are deleted")
        await self.database.forget_deleted()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a task of the study failed", exc_info=task.exception())

    def _after_end(self, room: Room) -> None:
        for worker in room.people.values():
            self.run(self.tell_standing(worker))
        self.lobby.wake()
        self._has_news.set()
        if self._reader:
            self._reader.look()

    def _add(self, session: Session, dialog: Dialog) -> tuple[Turn, ...]:
        add_dialog(session, dialog)
        return turns_of(session, self.study, dialog.about) if dialog.about else ()

    def _room(self, dialog: Dialog, about: tuple[Turn, ...]) -> Room:
        scene = scene_of(self.study, dialog, about)
        progress = replayed(self.study.protocol, dialog.task, scene, ())
        return Room(dialog, scene, progress)

    def _stored_rooms(self, session: Session) -> list[Room]:
        rooms = []
        for dialog in dialogs_where(session, self.study.protocol.name, DialogRow.state == "live"):
            stored = actions_of(session, dialog.id)
            about = turns_of(session, self.study, dialog.about) if dialog.about else ()
            scene = scene_of(self.study, dialog, about)
            progress = replayed(self.study.protocol, dialog.task, scene, stored)
            numbers = {one.id: (one.number, one.worker) for one in stored}
            rooms.append(Room(dialog, scene, progress, numbers))
        return rooms

    async def _tell_news(self) -> None:
        """Tell those who do nothing where they stand, now and then, when that may have changed."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            for worker in self.connections.workers():
                if self.rooms.of(worker) is None and not self.lobby.has(worker):
                    await self.tell_standing(worker)
            await asyncio.sleep(NEWS)

    async def _watch(self) -> None:
        """End dialogs whose people are away or idle for too long."""
        while True:
            await asyncio.sleep(TICK)
            for room in self.rooms.all():
                try:
                    await self._end_if_left(room)
                except Refused:
                    continue  # it ended meanwhile
                except SQLAlchemyError:
                    log.exception("a dialog that was left could not be ended")

    async def _end_if_left(self, room: Room) -> None:
        at = now()
        grace = timedelta(seconds=self.study.table.times.grace)
        if len(room.seats) > 1:
            for role, since in self._away(room).items():
                if at - since > grace:
                    await self.rooms.act_as_server(room, Away(role=role))
                    return
        if at > deadline_of(self.study, room):
            waited = [one for one in room.progress.activity.waits_for if one in room.people]
            if waited:
                await self.rooms.act_as_server(room, Idle(role=waited[0]))

    def _away(self, room: Room) -> Mapping[str, datetime]:
        """Since when which people of a dialog have had no connection."""
        begun = max(room.dialog.began, self.started)
        found = {
            role: self.connections.gone_since(worker, begun)
            for role, worker in room.people.items()
            if worker != ASSISTANT
        }
        return {role: max(since, begun) for role, since in found.items() if since is not None}
