"""The lobby in the database: who waits for a partner, and the begin of dialogs with them.

Whoever decides what begins holds the lobby's lock until that is stored, so that no two processes
take the same people, or more dialogs than are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from seminar.collection.records import ASSISTANT, FAILED_TRAP, Dialog, Role
from seminar.collection.storage.dialogs import add_dialog
from seminar.collection.storage.schema import (
    DialogRow,
    FlagRow,
    ReaderAnswerRow,
    SeatRow,
    WaitingRow,
)
from seminar.serving.storage.migrating import wait_for_others

DECIDING = ("report", FAILED_TRAP)  # kinds of flags on which it depends who does what next


def enter(session: Session, worker: str, role: Role) -> bool:
    """Wait for a partner, or change the wished role; False for one who is in a dialog already."""
    wait_for_others(session.connection())
    if live_dialog(session, worker):
        return False
    row = session.get(WaitingRow, worker)
    if row is None:
        session.add(WaitingRow(worker=worker, role=role))
    else:
        row.role = role
    return True


def leave(session: Session, worker: str) -> bool:
    """Wait no longer; whether the worker did."""
    gone = delete(WaitingRow).where(WaitingRow.worker == worker).returning(WaitingRow.worker)
    return session.execute(gone).first() is not None


def empty(session: Session) -> None:
    """Forget who waited when the only process ended."""
    session.execute(delete(WaitingRow))


def waiting(session: Session) -> list[tuple[str, Role, datetime]]:
    """Who waits, with the wished role and since when, the longest wait first."""
    rows = session.scalars(select(WaitingRow).order_by(WaitingRow.since, WaitingRow.worker))
    return [(row.worker, row.role, row.since) for row in rows]


def waits(session: Session, worker: str) -> bool:
    return session.get(WaitingRow, worker) is not None


def live_dialog(session: Session, worker: str) -> str | None:
    """The dialog or task that a worker is in."""
    own = select(DialogRow.id).join(SeatRow, SeatRow.dialog == DialogRow.id)
    return session.scalars(
        own.where(SeatRow.worker == worker, DialogRow.state == "live").limit(1)
    ).first()


def decisions_state(session: Session) -> object:
    """Changes when a dialog begins, ends, is reviewed or deleted, or somebody is flagged.

    Times alone would not do: the clocks of several machines differ.
    """
    kinds = (DialogRow.state, DialogRow.review, DialogRow.kept)
    counted = select(*kinds, func.count(), func.max(DialogRow.settled)).group_by(*kinds)
    flags = select(func.count()).where(FlagRow.kind.in_(DECIDING))
    answers = select(func.count()).select_from(ReaderAnswerRow)
    rows = sorted(map(tuple, session.execute(counted)), key=str)
    return tuple(rows), session.scalar(flags), session.scalar(answers)


def begin(session: Session, dialogs: Sequence[Dialog], decided: object) -> list[Dialog] | None:
    """Begin dialogs that were decided on; None if meanwhile something else began or ended.

    A pair of whom one no longer waits doesn't begin.
    """
    wait_for_others(session.connection())
    if decisions_state(session) != decided:
        return None
    return [dialog for dialog in dialogs if _begun(session, dialog)]


def _begun(session: Session, dialog: Dialog) -> bool:
    people = [seat.worker for seat in dialog.seats if seat.worker != ASSISTANT]
    if any(live_dialog(session, worker) for worker in people):
        return False
    if len(people) > 1 and not all(waits(session, worker) for worker in people):
        return False
    for worker in people:
        leave(session, worker)
    add_dialog(session, dialog)
    session.flush()
    return True
