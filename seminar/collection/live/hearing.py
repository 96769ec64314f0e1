"""What a process does when another one that serves the study says that something has changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from seminar.collection.live.signals import (
    DialogChanged,
    LobbyChanged,
    Noticed,
    PartnerChanged,
    PresenceChanged,
    Signal,
    StudyChanged,
    WorkerChanged,
)
from seminar.collection.messages.live import Notice
from seminar.collection.storage.workers import notices_of

if TYPE_CHECKING:
    from seminar.collection.live.service import StudyService


async def hear(service: StudyService, signal: Signal) -> None:
    """Take in a signal: look in the database, and show it to those who are here."""
    await _ANSWERS[type(signal)](service, signal)


async def _dialog(service: StudyService, signal: DialogChanged) -> None:
    await service.rooms.follow(signal.dialog)


async def _lobby(service: StudyService, signal: LobbyChanged) -> None:
    await service.lobby.resume()


async def _presence(service: StudyService, signal: PresenceChanged) -> None:
    await service.presence.hear(signal)


async def _worker(service: StudyService, signal: WorkerChanged) -> None:
    if signal.closing:
        service.connections.close(signal.worker, signal.closing)
    await service.show_standing(signal.worker)


async def _notice(service: StudyService, signal: Noticed) -> None:
    if service.connections.is_here(signal.worker):
        newest = await service.database.read(lambda one: notices_of(one, signal.worker, most=1))
        for text in newest:
            service.connections.send(signal.worker, Notice(text=text))


async def _partner(service: StudyService, signal: PartnerChanged) -> None:
    room = service.rooms.find(signal.dialog)
    if room is not None:
        service.rooms.show_partner(room, signal.worker, signal.state, signal.grace)


async def _study(service: StudyService, signal: StudyChanged) -> None:
    await service.tell_everybody()


_ANSWERS: dict[type[Signal], Callable[[StudyService, Any], Awaitable[None]]] = {
    DialogChanged: _dialog,
    LobbyChanged: _lobby,
    Noticed: _notice,
    PartnerChanged: _partner,
    PresenceChanged: _presence,
    StudyChanged: _study,
    WorkerChanged: _worker,
}
