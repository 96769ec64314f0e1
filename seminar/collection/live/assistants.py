"""The assistant in live dialogs: in a seat of its own, or drafting for a teacher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from seminar.collection.assistant.page_reading import PageReader
from seminar.collection.assistant.partner import draft, next_action
from seminar.collection.live.frames import frame_of
from seminar.collection.live.room import Room
from seminar.collection.live.rooms import Rooms
from seminar.collection.messages.actions import ActionType
from seminar.collection.protocols.activity import Refused
from seminar.collection.records import ASSISTANT, SERVER, Role
from seminar.collection.study.loading import Study

PAUSE = 0.3  # seconds before it acts, so that people see what they sent first


class Assistants:
    """Answers and asks wherever the assistant has a part, one thought at a time."""

    def __init__(
        self,
        study: Study,
        rooms: Rooms,
        reader: PageReader,
        run: Callable[[Coroutine[Any, Any, None]], None],
        is_here: Callable[[str], bool],
    ) -> None:
        self._study, self._rooms, self._reader, self._run = study, rooms, reader, run
        self._has_socket = is_here
        self._thinking: set[str] = set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="study-assistant")
        rooms.on_change.append(self.look)

    def look(self, room: Room) -> None:
        """Act in a dialog, if it is the assistant's turn; it looks again at every change."""
        if room.dialog.id in self._thinking or room.progress.closing or not self._is_here(room):
            return
        seat = room.role_of(ASSISTANT)
        if seat or self._may_draft(room):
            self._thinking.add(room.dialog.id)
            self._run(self._think(room, seat))

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _is_here(self, room: Room) -> bool:
        """Whether this process is the one, of several, that somebody of the dialog is at."""
        return any(map(self._has_socket, room.people.values()))

    def _may_draft(self, room: Room) -> bool:
        knower = self._study.protocol.knower
        if not room.dialog.assisted or knower not in room.progress.activity.waits_for:
            return False
        allowed = room.progress.activity.allowed(SERVER)
        drafted = getattr(room.progress.activity, "draft", None)
        return "draft" in allowed and drafted is None

    async def _think(self, room: Room, seat: Role) -> None:
        """Do everything that is to be done now, then wait for the next change."""
        seen = -1
        try:
            await asyncio.sleep(PAUSE)
            while not room.progress.closing:
                seen = room.progress.number
                if not await self._step(room, seat):
                    return
        except Refused:
            seen = -1  # something else came first
        finally:
            self._thinking.discard(room.dialog.id)
            if room.progress.number != seen:  # it changed while this thought ended
                self.look(room)

    async def _step(self, room: Room, seat: Role) -> bool:
        """Act or draft once; whether there was anything to do."""
        if seat:
            action = await self._computed(room, seat, next_action)
            if action is not None:
                await self._rooms.act_as_assistant(room, action)
            return action is not None
        if not self._may_draft(room):
            return False
        action = await self._computed(room, self._study.protocol.knower, draft)
        if action is not None and self._may_draft(room):
            await self._rooms.act_as_server(room, action)
        return True

    async def _computed(
        self,
        room: Room,
        role: Role,
        decide: Callable[..., ActionType | None],
    ) -> ActionType | None:
        """The decision over a role's view, made in a thread: reading takes a second."""
        frame = frame_of(self._study, room, role, None)
        view = room.progress.activity.view(role, frame)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._thread, decide, view, self._reader, self._study.index
        )
