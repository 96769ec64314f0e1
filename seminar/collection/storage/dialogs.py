"""Dialogs in the database: begun, continued by one action after the other, and ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.collection.pay.ledger import Entry
from seminar.collection.records import Action, Dialog, Flag, Review, Seat
from seminar.collection.storage.schema import ActionRow, DialogRow, FlagRow, PayRow, SeatRow
from seminar.serving.storage.schema import now

PROTOCOL_FIELDS = ("task", "subject", "began", "practice", "assisted", "about")


def add_dialog(session: Session, dialog: Dialog) -> None:
    """Begin a dialog with its seats."""
    plain = {name: getattr(dialog, name) for name in PROTOCOL_FIELDS}
    session.add(
        DialogRow(
            id=dialog.id,
            changed=dialog.began,
            arms=dict(dialog.arms),
            setup=dict(dialog.setup),
            **plain,
        )
    )
    session.flush()
    session.add_all(
        SeatRow(dialog=dialog.id, role=seat.role, worker=seat.worker) for seat in dialog.seats
    )


def add_action(session: Session, action: Action, turns: int) -> None:
    """Store an action, and how many turns are complete after it."""
    session.add(
        ActionRow(
            dialog=action.dialog,
            number=action.number,
            id=action.id,
            role=action.role,
            worker=action.worker,
            kind=action.kind,
            fields=dict(action.fields),
            time=action.time,
        )
    )
    row = session.get_one(DialogRow, action.dialog)
    row.changed, row.turns = action.time, turns


def end_dialog(session: Session, dialog: str, *, reason: str, kept: bool, time: datetime) -> None:
    row = session.get_one(DialogRow, dialog)
    row.state, row.reason, row.kept, row.ended = "ended", reason, kept, time
    row.settled = now()


def review(session: Session, dialog: str, verdict: Review) -> None:
    row = session.get_one(DialogRow, dialog)
    row.review, row.settled = verdict, now()


def add_entries(session: Session, entries: Iterable[Entry]) -> None:
    """Add lines to the ledger; one whose key is there already is left as it is."""
    for entry in entries:
        if session.get(PayRow, entry.key) is None:
            session.add(
                PayRow(
                    key=entry.key,
                    worker=entry.worker,
                    kind=entry.kind,
                    amount=entry.amount,
                    currency=entry.currency,
                    at=entry.at,
                    dialogue=entry.dialogue,
                    note=entry.note,
                    reverses=entry.reverses,
                )
            )


def add_flag(session: Session, flag: Flag) -> None:
    session.add(
        FlagRow(
            id=flag.id,
            kind=flag.kind,
            worker=flag.worker,
            time=flag.time,
            by=flag.by,
            dialog=flag.dialog,
            text=flag.text,
            resolved=flag.resolved,
        )
    )


def find_dialog(session: Session, protocol: str, dialog: str) -> Dialog | None:
    found = dialogs_where(session, protocol, DialogRow.id == dialog)
    return found[0] if found else None


def live_dialogs(session: Session) -> list[str]:
    """The ids of the dialogs and tasks that are live."""
    return list(session.scalars(select(DialogRow.id).where(DialogRow.state == "live")))


def dialogs_where(session: Session, protocol: str, *conditions: object) -> list[Dialog]:
    """The dialogs that fulfil all conditions, the oldest first."""
    query = select(DialogRow).where(*conditions)  # type: ignore[arg-type]
    rows = session.scalars(query.order_by(DialogRow.began, DialogRow.id)).all()
    return _with_seats(session, protocol, rows)


def _with_seats(session: Session, protocol: str, rows: Sequence[DialogRow]) -> list[Dialog]:
    seats: dict[str, list[Seat]] = {row.id: [] for row in rows}
    if len(rows) == 1:
        query = select(SeatRow).where(SeatRow.dialog == rows[0].id)
    else:
        query = select(SeatRow)
    for seat in session.scalars(query):
        if seat.dialog in seats:
            seats[seat.dialog].append(Seat(seat.role, seat.worker))
    return [dialog_record(row, protocol, tuple(seats[row.id])) for row in rows]


def dialog_record(row: DialogRow, protocol: str, seats: tuple[Seat, ...]) -> Dialog:
    return Dialog(
        id=row.id,
        protocol=protocol,
        task=row.task,  # type: ignore[arg-type]
        subject=row.subject,
        seats=tuple(sorted(seats, key=lambda seat: seat.role)),
        began=row.began,
        state=row.state,  # type: ignore[arg-type]
        ended=row.ended,
        reason=row.reason,
        turns=row.turns,
        kept=row.kept,
        practice=row.practice,
        assisted=row.assisted,
        about=row.about,
        arms=row.arms,
        setup=row.setup,
        review=row.review,  # type: ignore[arg-type]
    )


def actions_of(session: Session, dialog: str, after: int = 0) -> list[Action]:
    """The actions of a dialog in their order, those after a number."""
    whose = ActionRow.dialog == dialog, ActionRow.number > after
    rows = session.scalars(select(ActionRow).where(*whose).order_by(ActionRow.number))
    return [action_record(row) for row in rows]


def action_record(row: ActionRow) -> Action:
    return Action(
        id=row.id,
        dialog=row.dialog,
        number=row.number,
        role=row.role,
        worker=row.worker,
        kind=row.kind,
        fields=row.fields,
        time=row.time,
    )


def entries_of(session: Session, worker: str = "") -> list[Entry]:
    """The lines of the ledger, of one worker or of all, in the order of time."""
    query = select(PayRow).order_by(PayRow.at, PayRow.key)
    if worker:
        query = query.where(PayRow.worker == worker)
    return [
        Entry(
            key=row.key,
            worker=row.worker,
            kind=row.kind,
            amount=row.amount,
            currency=row.currency,
            at=row.at,
            dialogue=row.dialogue,
            note=row.note,
            reverses=row.reverses,
        )
        for row in session.scalars(query)
    ]


def flags_where(session: Session, *conditions: object) -> list[Flag]:
    """The flags that fulfil all conditions, the newest first."""
    query = select(FlagRow).where(*conditions)  # type: ignore[arg-type]
    return [
        Flag(
            id=row.id,
            kind=row.kind,
            worker=row.worker,
            time=row.time,
            by=row.by,
            dialog=row.dialog,
            text=row.text,
            resolved=row.resolved,
        )
        for row in session.scalars(query.order_by(FlagRow.time.desc(), FlagRow.id))
    ]
