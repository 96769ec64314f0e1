"""Ends the dialogs whose people are away or idle for too long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from seminar.collection.live.frames import deadline_of
from seminar.collection.live.presence import Presence
from seminar.collection.live.room import Room
from seminar.collection.live.rooms import Rooms
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.progress import Away, Idle
from seminar.collection.study.loading import Study
from seminar.serving.storage.engines import UNREACHABLE, reason_of
from seminar.serving.storage.schema import now

TICK = 0.25  # seconds between looks at the clock
PAUSE = 2.0  # seconds before the next look where the database doesn't answer

log = logging.getLogger("seminar.collection")


async def end_abandoned(study: Study, rooms: Rooms, presence: Presence) -> None:
    """Look without end; of several processes that look, the database lets one end a dialog."""
    started = now()
    while True:
        await asyncio.sleep(TICK)
        for room in rooms.all():
            try:
                await _end_if_left(study, rooms, room, _away(room, presence, started))
            except Refused:
                continue  # it ended meanwhile
            except UNREACHABLE as error:
                log.warning("a dialog that was left was not ended: %s", reason_of(error))
                await asyncio.sleep(PAUSE)
                break
            except SQLAlchemyError:
                log.exception("a dialog that was left could not be ended")


async def _end_if_left(
    study: Study, rooms: Rooms, room: Room, away: Mapping[str, datetime]
) -> None:
    at = now()
    grace = timedelta(seconds=study.table.times.grace)
    if len(room.seats) > 1:
        for role, since in away.items():
            if at - since > grace:
                await rooms.act_as_server(room, Away(role=role))
                return
    if at > deadline_of(study, room):
        waited = [one for one in room.progress.activity.waits_for if one in room.people]
        if waited:
            await rooms.act_as_server(room, Idle(role=waited[0]))


def _away(room: Room, presence: Presence, started: datetime) -> Mapping[str, datetime]:
    """Since when which people of a dialog have had no connection."""
    begun = max(room.dialog.began, started)
    found = {role: presence.gone_since(worker, begun) for role, worker in room.people.items()}
    return {role: max(since, begun) for role, since in found.items() if since is not None}
