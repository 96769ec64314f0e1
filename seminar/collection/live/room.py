"""A live dialog in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

from seminar.collection.protocols.activity import Scene
from seminar.collection.protocols.progress import Progress
from seminar.collection.records import ASSISTANT, Dialog, Role
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
