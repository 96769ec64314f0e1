"""The live dialogs of a study: each action is checked, stored, and only then shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from sqlalchemy.exc import IntegrityError, NoResultFound
from sqlalchemy.orm import Session

from seminar.collection.live.closings import Outcome, outcome_of
from seminar.collection.live.connections import Connections
from seminar.collection.live.frames import frame_of
from seminar.collection.live.room import Room, stored_rooms
from seminar.collection.live.signals import DialogChanged, PartnerChanged, Signals
from seminar.collection.messages.actions import ActionType, Report
from seminar.collection.messages.live import Partner, ViewChanged
from seminar.collection.messages.views import Ended
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import (
    Closing,
    Progress,
    action_of,
    advanced,
    fields_of,
)
from seminar.collection.records import ASSISTANT, SERVER, Action, Dialog, Role
from seminar.collection.storage.database import Database
from seminar.collection.storage.dialogs import (
    actions_of,
    add_action,
    add_entries,
    add_flag,
    end_dialog,
    find_dialog,
)
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import new_id, now


class Rooms:
    """The live dialogs by their ids."""

    def __init__(
        self, study: Study, database: Database, connections: Connections, signals: Signals
    ) -> None:
        self._study, self._database, self._connections = study, database, connections
        self._signals = signals
        self._rooms: dict[str, Room] = {}
        self._accepting: set[asyncio.Future[int]] = set()
        self.on_change: list[Callable[[Room], None]] = []
        self.on_end: list[Callable[[Room], None]] = []

    def add(self, room: Room) -> None:
        """Take a dialog that the database has, and show it."""
        self._rooms[room.dialog.id] = room
        self.show(room)

    def find(self, dialog: str) -> Room | None:
        return self._rooms.get(dialog)

    def all(self) -> Iterable[Room]:
        return list(self._rooms.values())

    def of(self, worker: str) -> Room | None:
        """The live dialog of a worker."""
        return next((room for room in self._rooms.values() if room.role_of(worker)), None)

    async def act(self, worker: str, dialog: str, identity: str, action: ActionType) -> int:
        """Accept an action of a worker and return its number; Refused if it isn't valid."""
        room = await self.fetched(dialog)
        role = room.role_of(worker) if room else ""
        if room is None or not role:
            return await self._earlier(worker, dialog, identity)
        return await self._accept(room, role, worker, identity, action)

    async def act_as_server(self, room: Room, action: ActionType) -> None:
        """Store what the program itself does."""
        await self._accept(room, SERVER, SERVER, new_id(), action)

    async def act_as_assistant(self, room: Room, action: ActionType) -> None:
        """Store what the assistant does in its seat."""
        await self._accept(room, room.role_of(ASSISTANT), ASSISTANT, new_id(), action)

    async def fetched(self, dialog: str) -> Room | None:
        """A live dialog, which may have begun at another process a moment ago."""
        if dialog not in self._rooms and self._database.is_shared:
            for room in await self._database.read(
                lambda session: stored_rooms(session, self._study, dialog)
            ):
                if dialog not in self._rooms:
                    self.add(room)
        return self._rooms.get(dialog)

    async def follow(self, dialog: str) -> None:
        """Show what other processes did in a dialog."""
        room = self._rooms.get(dialog)
        if room is None:
            await self.fetched(dialog)
            return
        async with room.lock:
            await self._followed(room)

    async def settle(self) -> None:
        """Wait for what is being accepted."""
        await asyncio.gather(*self._accepting, return_exceptions=True)

    def show(self, room: Room) -> None:
        """Send everybody in a dialog their view of it."""
        for role, worker in room.people.items():
            self._connections.send(worker, self.view(room, role))
        for notify in self.on_change:
            notify(room)

    def view(self, room: Room, role: Role, ended: Ended | None = None) -> ViewChanged:
        frame = frame_of(self._study, room, role, ended)
        return ViewChanged(view=room.progress.activity.view(role, frame))

    def tell_partner(self, room: Room, worker: str, state: str, grace: float = 0) -> None:
        """Tell the others in a dialog, wherever they are, that a worker is here or not."""
        self.show_partner(room, worker, state, grace)
        if len(room.people) > 1:
            where = room.dialog.id
            signal = PartnerChanged(dialog=where, worker=worker, state=state, grace=grace)
            self._signals.send(signal)

    def show_partner(self, room: Room, worker: str, state: str, grace: float = 0) -> None:
        """Tell the others in a dialog who are at this process."""
        for other in room.people.values():
            if other != worker:
                message = Partner(dialog=room.dialog.id, state=state, grace=grace)
                self._connections.send(other, message)

    async def _earlier(self, worker: str, dialog: str, identity: str) -> int:
        """The number of an action that was accepted before its dialog ended."""
        stored = await self._database.read(lambda session: actions_of(session, dialog))
        for one in stored:
            if one.id == identity and one.worker == worker:
                return one.number
        if any(one.worker == worker for one in stored):
            raise Refused("ended", "the dialog has ended")
        raise Refused("unknown", "there is no live dialog of that name that is yours")

    async def _accept(
        self, room: Room, role: Role, worker: str, identity: str, action: ActionType
    ) -> int:
        """Accept to the end, also where the socket that sent the action goes away meanwhile."""
        task = asyncio.ensure_future(self._accepted(room, role, worker, identity, action))
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)
        return await asyncio.shield(task)

    async def _accepted(
        self, room: Room, role: Role, worker: str, identity: str, action: ActionType
    ) -> int:
        async with room.lock:
            while True:
                try:
                    return await self._added(room, role, worker, identity, action)
                except (Refused, IntegrityError, NoResultFound):
                    # Another process was first: what it did counts, and this is looked at again.
                    if not await self._followed(room):
                        raise

    async def _added(
        self, room: Room, role: Role, worker: str, identity: str, action: ActionType
    ) -> int:
        """Store an action after those that are known here; the database has each number once."""
        known = room.numbers.get(identity)
        if known is not None:
            if known[1] != worker:
                raise Refused("invalid", "the id is that of another action")
            return known[0]
        time = now()
        progress = advanced(room.progress, role, action, time)
        kind, fields = fields_of(action)
        stored = Action(
            id=identity,
            dialog=room.dialog.id,
            number=progress.number,
            role=role,
            worker=worker,
            kind=kind,
            fields=fields,
            time=time,
        )
        outcome = self._outcome(room, progress, action, role)
        await self._store(stored, progress, outcome)
        room.progress, room.last = progress, time
        room.numbers[identity] = (progress.number, worker)
        if outcome is None:
            self.show(room)
        else:
            self._close(room, outcome)
        return progress.number

    async def _followed(self, room: Room) -> bool:
        """Take in what the database has beyond this; whether there was anything."""
        if not self._database.is_shared or self._rooms.get(room.dialog.id) is not room:
            return False
        stored, dialog = await self._database.read(lambda session: self._news(session, room))
        if dialog is None:  # somebody withdrew
            del self._rooms[room.dialog.id]
            room.progress = replace(room.progress, closing=Closing("stopped"))
            return True
        for one in stored:
            action = action_of(self._study.protocol, one)
            room.progress = advanced(room.progress, one.role, action, one.time)
            room.last = one.time
            room.numbers[one.id] = (one.number, one.worker)
            outcome = self._outcome(room, room.progress, action, one.role)
            if outcome is not None:
                self._close(room, outcome)
                return True
        if stored:
            self.show(room)
        return bool(stored)

    def _news(self, session: Session, room: Room) -> tuple[list[Action], Dialog | None]:
        dialog = find_dialog(session, self._study.protocol.name, room.dialog.id)
        return actions_of(session, room.dialog.id, room.progress.number), dialog

    def _outcome(
        self, room: Room, progress: Progress, action: ActionType, role: Role
    ) -> Outcome | None:
        if progress.closing is None:
            return None
        report = action if isinstance(action, Report) else None
        return outcome_of(self._study, room.dialog, progress, report=report, by=role)

    async def _store(self, action: Action, progress: Progress, outcome: Outcome | None) -> None:
        """One transaction: the action, and what follows from the end of the dialog."""

        def change(session: Session) -> None:
            add_action(session, action, progress.activity.turns_done)
            self._signals.add(session, DialogChanged(dialog=action.dialog))
            if outcome is not None:
                end_dialog(
                    session,
                    action.dialog,
                    reason=outcome.reason,
                    kept=outcome.kept,
                    time=action.time,
                )
                add_entries(session, outcome.entries)
                for flag in outcome.flags:
                    add_flag(session, flag)

        await self._database.write(change)

    def _close(self, room: Room, outcome: Outcome) -> None:
        """Show the end, and forget the dialog."""
        closing = room.progress.closing
        del self._rooms[room.dialog.id]
        for role, worker in room.people.items():
            reason = closing.reason_for(role) if closing else ""
            ended = Ended(reason, outcome.pay.get(role, 0), outcome.next.get(role, "lobby"))
            self._connections.send(worker, self.view(room, role, ended))
        for notify in self.on_end:
            notify(room)
