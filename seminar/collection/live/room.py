"""A live dialog in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from seminar.collection.protocols.activity import Scene
from seminar.collection.protocols.progress import Progress, replayed
from seminar.collection.records import ASSISTANT, Dialog, Role
from seminar.collection.storage.dialogs import actions_of, dialogs_where
from seminar.collection.storage.schema import DialogRow
from seminar.collection.storage.snapshots import scene_of, turns_of
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import now


@dataclass
class Room:
    """A live dialog in memory; the database has the same actions."""

    dialog: Dialog
    scene: Scene
    progress: Progress
    numbers: dict[str, tuple[int, str]] = field(default_factory=dict)  # by the action's id
    last: datetime = field(default_factory=now)  # when somebody last acted
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def seats(self) -> dict[Role, str]:
        return {seat.role: seat.worker for seat in self.dialog.seats}

    @property
    def people(self) -> dict[Role, str]:
        """The seats that people have."""
        return {role: worker for role, worker in self.seats.items() if worker != ASSISTANT}

    def role_of(self, worker: str) -> Role:
        return next((role for role, one in self.seats.items() if one == worker), "")


def stored_rooms(session: Session, study: Study, dialog: str = "") -> list[Room]:
    """The live dialogs as the database has them, or one of them."""
    which = [DialogRow.id == dialog] if dialog else []
    found = dialogs_where(session, study.protocol.name, DialogRow.state == "live", *which)
    return [_stored_room(session, study, one) for one in found]


def _stored_room(session: Session, study: Study, dialog: Dialog) -> Room:
    stored = actions_of(session, dialog.id)
    about = turns_of(session, study, dialog.about) if dialog.about else ()
    scene = scene_of(study, dialog, about)
    progress = replayed(study.protocol, dialog.task, scene, stored)
    numbers = {one.id: (one.number, one.worker) for one in stored}
    return Room(dialog, scene, progress, numbers)
