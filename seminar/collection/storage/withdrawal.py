"""Withdrawal: everything of a person is deleted, and only sums of money stay, without a name.

A dialog is the work of both partners, and neither half means anything without the other: the
dialogs in which the person spoke are deleted whole, with what others annotated about them. The
partner's pay stays.
"""

from __future__ import annotations

import secrets

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from seminar.collection.storage.schema import (
    ActionRow,
    DialogRow,
    FlagRow,
    IdentityRow,
    NoticeRow,
    PayRow,
    ReaderAnswerRow,
    SeatRow,
    SurveyRow,
    TokenRow,
    WorkerRow,
)

WITHDRAWN = "withdrawn"  # in the ledger, instead of a worker


def dialogs_to_delete(session: Session, worker: str) -> list[str]:
    """The dialogs and tasks of a worker, and the tasks about what they said there.

    Of these, a planted question (`protocols.qaconv`) stands in a task about another dialog.
    """
    own = list(session.scalars(select(SeatRow.dialog).where(SeatRow.worker == worker)))
    about = session.scalars(select(DialogRow.id).where(DialogRow.about.in_(own)))
    verifications = select(DialogRow.id, DialogRow.setup).where(DialogRow.task == "verification")
    planted = (task for task, setup in session.execute(verifications) if setup.get("of") in own)
    return list(dict.fromkeys([*own, *about, *planted]))


def withdraw(session: Session, worker: str) -> list[str]:
    """Delete a worker everywhere; the ids of the dialogs that went with them."""
    dialogs = dialogs_to_delete(session, worker)
    for table in (ActionRow, ReaderAnswerRow, SeatRow, SurveyRow, FlagRow):
        session.execute(delete(table).where(table.dialog.in_(dialogs)))
    session.execute(delete(DialogRow).where(DialogRow.id.in_(dialogs)))
    for owned in (SurveyRow, NoticeRow, TokenRow, IdentityRow):
        session.execute(delete(owned).where(owned.worker == worker))
    session.execute(delete(FlagRow).where((FlagRow.worker == worker) | (FlagRow.by == worker)))
    _unname_pay(session, worker, dialogs)
    session.execute(delete(WorkerRow).where(WorkerRow.id == worker))
    return dialogs


def _unname_pay(session: Session, worker: str, dialogs: list[str]) -> None:
    """Keep the person's amounts alone, so that the ledger's sum stays what was paid."""
    rows = session.scalars(
        select(PayRow).where((PayRow.worker == worker) | PayRow.dialogue.in_(dialogs))
    ).all()
    renamed = {row.key: f"withdrawn/{secrets.token_hex(8)}" for row in rows}
    for row in rows:
        row.key, row.reverses = renamed[row.key], renamed.get(row.reverses, row.reverses)
        row.dialogue = ""
        if row.worker == worker:
            row.worker, row.note = WITHDRAWN, ""
