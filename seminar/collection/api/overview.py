"""What the admin's pages list: the funnel, dialogs, workers and flags."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from seminar.collection.api.exports import exports_of
from seminar.collection.live.service import StudyService
from seminar.collection.live.standing import standing_of, study_state
from seminar.collection.messages.admin import (
    Agreement,
    DialogLine,
    FlagLine,
    FunnelStep,
    LiveSeat,
    Overview,
    WorkerLine,
)
from seminar.collection.records import ASSISTANT, Dialog, Flag
from seminar.collection.reports.agreement import Agreement as Measured
from seminar.collection.storage.dialogs import dialogs_where, flags_where
from seminar.collection.storage.schema import FlagRow, PayRow, SurveyRow, WorkerRow
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import now

MOST_SHOWN = 200  # live dialogs or flags


@dataclass(frozen=True)
class StudyCounts:
    """What an overview is made of, as the database has it."""

    state: str
    dialogs: list[Dialog]
    flags: list[Flag]
    owed: int
    funnel: tuple[FunnelStep, ...]


def read_counts(session: Session, study: Study) -> StudyCounts:
    """Read it in one transaction."""
    dialogs = dialogs_where(session, study.protocol.name)
    return StudyCounts(
        state=study_state(session),
        dialogs=dialogs,
        flags=flags_where(session, FlagRow.resolved.is_(False))[:MOST_SHOWN],
        owed=session.scalar(select(func.coalesce(func.sum(PayRow.amount), 0))) or 0,
        funnel=_funnel(session, study, dialogs),
    )


def annotated_state(dialogs: Sequence[Dialog]) -> frozenset[tuple[str, str]]:
    """What the agreement depends on: which annotations and which dialogs count."""
    return frozenset((one.id, one.review) for one in dialogs if one.kept)


def overview_of(
    service: StudyService, counts: StudyCounts, agreement: Sequence[Measured]
) -> Overview:
    """The dashboard's first page."""
    real = [one for one in counts.dialogs if one.task == "dialog" and not one.practice]
    live = [one for one in counts.dialogs if one.state == "live"]
    ended = [one for one in real if one.state == "ended"]
    kept = [one for one in ended if one.kept and one.review != "rejected"]
    return Overview(
        name=service.study.table.name,
        protocol=service.study.protocol.name,
        state=counts.state,  # type: ignore[arg-type]
        currency=service.study.plan.currency,
        time=now(),
        funnel=counts.funnel,
        waiting=service.lobby.count(),
        live=tuple(dialog_line(service, one) for one in live[-MOST_SHOWN:]),
        dialogs={
            "kept": len(kept),
            "discarded": len(ended) - len(kept),
            "live": len(live),
            "wanted": service.study.table.quotas.dialogs,
        },
        turns=sum(one.turns for one in kept),
        flags=tuple(map(flag_line, counts.flags)),
        agreement=tuple(
            Agreement(name=one.name, value=one.value, turns=one.turns) for one in agreement
        ),
        owed=counts.owed,
        exports=exports_of(service.study.protocol.name),
    )


def dialog_line(service: StudyService, dialog: Dialog) -> DialogLine:
    """A dialog in a list; of a live one the newest state."""
    room = service.rooms.find(dialog.id)
    study = service.study
    turns = room.progress.activity.turns_done if room else dialog.turns
    return DialogLine(
        id=dialog.id,
        task=dialog.task,
        subject=dialog.subject,
        title=study.protocol.title(study.index, dialog.subject),
        seats=tuple(
            LiveSeat(
                role=seat.role,
                worker=seat.worker,
                here=seat.worker == ASSISTANT or service.presence.is_here(seat.worker),
            )
            for seat in dialog.seats
        ),
        state=dialog.state,
        reason=dialog.reason,
        turns=turns,
        kept=dialog.kept,
        practice=dialog.practice,
        assisted=dialog.assisted,
        review=dialog.review,
        began=dialog.began,
        changed=room.last if room else (dialog.ended or dialog.began),
        about=dialog.about,
    )


def flag_line(flag: Flag) -> FlagLine:
    return FlagLine(
        id=flag.id,
        kind=flag.kind,
        worker=flag.worker,
        by=flag.by,
        dialog=flag.dialog,
        text=flag.text,
        time=flag.time,
        resolved=flag.resolved,
    )


def worker_lines(
    session: Session, service: StudyService, rows: Sequence[WorkerRow]
) -> tuple[WorkerLine, ...]:
    """Workers in a list, with what they did and earned."""
    ids = [row.id for row in rows]
    dialogs: defaultdict[str, list[Dialog]] = defaultdict(list)
    for dialog in dialogs_where(session, service.study.protocol.name):
        for seat in dialog.seats:
            dialogs[seat.worker].append(dialog)
    pay = select(PayRow.worker, func.sum(PayRow.amount)).where(PayRow.worker.in_(ids))
    earned = {row[0]: row[1] for row in session.execute(pay.group_by(PayRow.worker))}
    flags = Counter(session.scalars(select(FlagRow.worker).where(FlagRow.worker.in_(ids))))
    return tuple(
        WorkerLine(
            id=row.id,
            platform=row.platform,
            joined=row.joined,
            step=_step(session, service, row.id),
            here=service.presence.is_here(row.id),
            qualified=row.qualified,
            blocked=row.blocked,
            dialogs=len(dialogs[row.id]),
            turns=sum(one.turns for one in dialogs[row.id]),
            flags=flags[row.id],
            earned=int(earned.get(row.id, 0)),
        )
        for row in rows
    )


def _step(session: Session, service: StudyService, worker: str) -> str:
    standing = standing_of(session, service.study, worker)
    return standing.step if standing else ""


def _funnel(session: Session, study: Study, dialogs: Sequence[Dialog]) -> tuple[FunnelStep, ...]:
    """How many workers got how far."""
    workers = list(session.execute(select(WorkerRow.id, WorkerRow.consent, WorkerRow.qualified)))
    real = [one for one in dialogs if one.task == "dialog" and not one.practice]
    steps = [
        ("joined", {row.id for row in workers}),
        ("consented", {row.id for row in workers if row.consent}),
    ]
    if study.table.qualification.items:
        steps.append(("qualified", {row.id for row in workers if row.qualified}))
    if study.protocol.needs == "topics":
        surveyed = select(SurveyRow.worker).where(SurveyRow.kind == "inclinations")
        steps.append(("surveyed", set(session.scalars(surveyed))))
    steps += [
        ("began a dialog", _people(real)),
        ("answered or asked", _people([one for one in real if one.turns])),
        ("completed a dialog", _people([one for one in real if one.kept])),
    ]
    return tuple(FunnelStep(name, len(found)) for name, found in steps)


def _people(dialogs: Sequence[Dialog]) -> set[str]:
    return {seat.worker for one in dialogs for seat in one.seats if seat.worker != ASSISTANT}
