"""The part of a view that all protocols share."""

from __future__ import annotations

from datetime import datetime, timedelta

from seminar.collection.live.closings import pay_for
from seminar.collection.live.room import Room
from seminar.collection.messages.views import Ended, Frame
from seminar.collection.pay.schedule import turn_pay
from seminar.collection.protocols.progress import Closing
from seminar.collection.records import Dialog, Role
from seminar.collection.study.loading import Study


def frame_of(study: Study, room: Room, role: Role, ended: Ended | None) -> Frame:
    """The frame of a role's view of a dialog now."""
    dialog, progress = room.dialog, room.progress
    turns = progress.activity.turns_done
    allowed = tuple(progress.allowed(role))
    closing = progress.closing or _if_ended_now(role, allowed)
    paid = dialog.task == "dialog" and not dialog.practice
    return Frame(
        dialog=dialog.id,
        protocol=dialog.protocol,
        task=dialog.task,
        role=role,
        number=progress.number,
        yours=not progress.closing and role in progress.activity.waits_for,
        allowed=allowed if len(dialog.seats) > 1 else tuple(k for k in allowed if k != "report"),
        turns_done=turns,
        practice=dialog.practice,
        assisted=dialog.assisted,
        began=dialog.began,
        deadline=None if progress.closing else room.last + idle_limit(study, dialog),
        earned=pay_for(study.plan, dialog, turns, role, closing).total,
        turn_pay=turn_pay(study.plan, turns + 1) if paid else 0,
        currency=study.plan.currency,
        ended=ended,
    )


def idle_limit(study: Study, dialog: Dialog) -> timedelta:
    """How long a dialog waits for somebody to act."""
    alone = len(dialog.seats) == 1
    return timedelta(seconds=study.table.times.task if alone else study.table.times.idle)


def deadline_of(study: Study, room: Room) -> datetime:
    return room.last + idle_limit(study, room.dialog)


def _if_ended_now(role: Role, allowed: tuple[str, ...]) -> Closing:
    return Closing("completed") if "end" in allowed else Closing("left", role)
