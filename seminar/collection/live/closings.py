"""What follows from the end of a dialog: whether it is kept, what is paid, what is flagged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seminar.collection.assignment.background import NOT_QUALIFIED
from seminar.collection.messages.actions import Report
from seminar.collection.pay.ledger import Entry, dialogue_entries
from seminar.collection.pay.schedule import Pay, PayPlan, earned
from seminar.collection.protocols.progress import Closing, Progress
from seminar.collection.records import ASSISTANT, FAILED_TRAP, Dialog, Flag, Role
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import new_id, now


@dataclass(frozen=True)
class Outcome:
    """What is stored with the last action of a dialog."""

    reason: str
    kept: bool
    entries: tuple[Entry, ...]
    flags: tuple[Flag, ...]
    pay: Mapping[Role, int]
    next: Mapping[Role, str]


def outcome_of(
    study: Study, dialog: Dialog, progress: Progress, *, report: Report | None, by: Role
) -> Outcome:
    """The outcome of a dialog whose last action has a closing."""
    closing = progress.closing or Closing("completed")
    turns = progress.activity.turns_done
    people = {seat.role: seat.worker for seat in dialog.seats if seat.worker != ASSISTANT}
    entries: dict[Role, tuple[Entry, ...]] = {}
    for role, worker in people.items():
        pay = pay_for(study.plan, dialog, turns, role, closing)
        entries[role] = dialogue_entries(
            pay,
            worker=worker,
            dialogue=dialog.id,
            currency=study.plan.currency,
            at=closing.time or now(),
        )
    return Outcome(
        reason=closing.reason,
        kept=is_kept(study, dialog, progress),
        entries=tuple(entry for own in entries.values() for entry in own),
        flags=_flags(dialog, progress, people, report, by),
        pay={role: sum(entry.amount for entry in own) for role, own in entries.items()},
        next={role: next_step(study, dialog, role, turns) for role in people},
    )


def pay_for(plan: PayPlan, dialog: Dialog, turns: int, role: Role, closing: Closing) -> Pay:
    """What a role is paid: by the plan for a dialog, by answers for a task; practice is unpaid."""
    if dialog.practice or closing.reason == NOT_QUALIFIED:
        return Pay(())
    if dialog.task != "dialog":
        amount = plan.annotation * turns
        return Pay((("annotation", amount),) if amount else ())
    return earned(plan, turns, role=role, ending=closing.ending_for(role))


def is_kept(study: Study, dialog: Dialog, progress: Progress) -> bool:
    """Whether a dialog has enough turns, or a task all of its answers."""
    if dialog.practice:
        return False
    if dialog.task != "dialog":
        return progress.closing is not None and progress.closing.reason == "completed"
    reported = progress.closing is not None and progress.closing.reason == "reported"
    return progress.activity.turns_done >= study.least_turns and not reported


def next_step(study: Study, dialog: Dialog, role: Role, turns: int) -> str:
    """What a worker does after a dialog."""
    if dialog.practice or dialog.task != "dialog" or not turns:
        return "lobby"
    return "exit survey" if survey_items(study, role) else "lobby"


def survey_items(study: Study, role: Role) -> list[int]:
    """The numbers of the exit survey's questions for a role."""
    return [
        number
        for number, item in enumerate(study.table.survey)
        if not item.roles or role in item.roles
    ]


def _flags(
    dialog: Dialog,
    progress: Progress,
    people: Mapping[Role, str],
    report: Report | None,
    by: Role,
) -> tuple[Flag, ...]:
    if report is not None:
        others = [worker for role, worker in people.items() if role != by]
        text = f"{report.problem}: {report.text}" if report.text else report.problem
        return tuple(_flag("report", worker, dialog, by=people[by], text=text) for worker in others)
    closing = progress.closing
    if closing and closing.reason in ("away", "idle") and closing.role in people:
        return (_flag(closing.reason, people[closing.role], dialog),)
    failed = [one for one in progress.activity.annotations() if one.trap and one.option != "B"]
    return tuple(_flag(FAILED_TRAP, one.worker, dialog) for one in failed)


def _flag(kind: str, worker: str, dialog: Dialog, *, by: str = "", text: str = "") -> Flag:
    return Flag(
        id=new_id(), kind=kind, worker=worker, time=now(), by=by, dialog=dialog.id, text=text
    )
