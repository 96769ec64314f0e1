"""The routes of the study's admin."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.collection.api.bodies import attachment, body_of, check_admin, respond
from seminar.collection.api.exports import EXPORTS, exports_of
from seminar.collection.api.overview import (
    annotated_state,
    dialog_line,
    flag_line,
    overview_of,
    read_counts,
    worker_lines,
)
from seminar.collection.api.workers import statement_of
from seminar.collection.live.service import StudyService
from seminar.collection.live.signals import Noticed, StudyChanged
from seminar.collection.messages.admin import (
    Bonus,
    ChangeState,
    ChangeWorker,
    DialogDetails,
    DialogLine,
    DialogPage,
    Message,
    ResolveFlag,
    ReviewDialog,
    StoredAction,
    WorkerPage,
)
from seminar.collection.messages.live import Notice
from seminar.collection.pay.ledger import bonus
from seminar.collection.pay.statements import statement
from seminar.collection.records import Flag
from seminar.collection.reports.agreement import agreement
from seminar.collection.storage.dialogs import (
    actions_of,
    add_entries,
    add_flag,
    dialogs_where,
    entries_of,
    find_dialog,
    flags_where,
    review,
)
from seminar.collection.storage.schema import DialogRow, FlagRow, Setting, WorkerRow
from seminar.collection.storage.snapshots import records_of
from seminar.collection.storage.workers import add_notice
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import new_id, now

AT_ONCE = 50  # rows of a list

router = APIRouter(prefix="/admin")


@router.get("/overview")
async def overview(request: Request) -> Response:
    """The funnel, live dialogs, flags and agreement."""
    return await _overview(check_admin(request))


@router.post("/state")
async def change_state(request: Request) -> Response:
    """Open, pause or close the study."""
    service = check_admin(request)
    form = await body_of(request, ChangeState)

    def change(session: Session) -> None:
        session.get_one(Setting, "state").value = form.state
        service.signals.add(session, StudyChanged())

    await service.database.write(change)
    await service.tell_everybody()
    return await _overview(service)


@router.get("/workers")
async def workers(request: Request, before: str = "") -> Response:
    """The workers, the newest first."""
    service = check_admin(request)

    def read(session: Session) -> WorkerPage:
        rows = session.scalars(
            select(WorkerRow).order_by(WorkerRow.joined.desc(), WorkerRow.id)
        ).all()
        found, following = _page([row.id for row in rows], before)
        chosen = [row for row in rows if row.id in found]
        return WorkerPage(worker_lines(session, service, chosen), following)

    return respond(await service.database.read(read))


@router.post("/workers/{worker}")
async def change_worker(request: Request, worker: str) -> Response:
    """Block or qualify a worker; who is blocked ends what they are in."""
    service = check_admin(request)
    form = await body_of(request, ChangeWorker)

    def change(session: Session) -> None:
        row = session.get(WorkerRow, worker)
        if row is None:
            raise not_found("worker", worker)
        if form.blocked is not None:
            row.blocked = form.blocked
        if form.qualified is not None:
            row.qualified = form.qualified
        if form.note:
            flag = Flag(new_id(), "note", worker, now(), text=form.note, resolved=True)
            add_flag(session, flag)

    await service.database.write(change)
    if form.blocked:
        await service.lobby.exit(worker)
        room = service.rooms.of(worker)
        if room is not None:
            await service.end(room, "stopped", room.role_of(worker))
    await service.tell_standing(worker)

    def read(session: Session) -> object:
        return worker_lines(session, service, [session.get_one(WorkerRow, worker)])[0]

    return respond(await service.database.read(read))


@router.delete("/workers/{worker}")
async def withdraw_worker(request: Request, worker: str) -> Response:
    """Delete everything of a person who asked for it."""
    service = check_admin(request)
    row = await service.database.read(lambda session: session.get(WorkerRow, worker))
    if row is None:
        raise not_found("worker", worker)
    await service.withdraw(worker)
    return Response(status_code=204)


@router.get("/workers/{worker}/pay.csv")
async def worker_pay(request: Request, worker: str) -> Response:
    """The statement of one worker."""
    service = check_admin(request)
    entries = await service.database.read(lambda session: entries_of(session, worker))
    if not entries:
        raise not_found("statement of worker", worker)
    return attachment(statement(entries, worker), "pay.csv", "text/csv; charset=utf-8")


@router.get("/dialogs")
async def dialogs(
    request: Request,
    before: str = "",
    state: str = "",
    verdict: Annotated[str, Query(alias="review")] = "",
) -> Response:
    """The dialogs and tasks, the newest first."""
    service = check_admin(request)
    conditions = [
        column == value
        for column, value in ((DialogRow.state, state), (DialogRow.review, verdict))
        if value
    ]
    name = service.study.protocol.name
    found = await service.database.read(lambda session: dialogs_where(session, name, *conditions))
    found.reverse()
    chosen, following = _page([one.id for one in found], before)
    lines = tuple(dialog_line(service, one) for one in found if one.id in chosen)
    return respond(DialogPage(lines, following))


@router.get("/dialogs/{dialog}")
async def dialog_details(request: Request, dialog: str) -> Response:
    """Every action of a dialog."""
    service = check_admin(request)
    line = await _line(service, dialog)
    stored = await service.database.read(lambda session: actions_of(session, dialog))
    actions = tuple(
        StoredAction(
            number=one.number,
            role=one.role,
            worker=one.worker,
            kind=one.kind,
            fields=dict(one.fields),
            time=one.time,
        )
        for one in stored
    )
    return respond(DialogDetails(line, actions))


@router.post("/dialogs/{dialog}/review")
async def review_dialog(request: Request, dialog: str) -> Response:
    """Approve or reject a dialog."""
    service = check_admin(request)
    form = await body_of(request, ReviewDialog)
    line = await _line(service, dialog)
    if line.state == "live":
        raise Problem(409, "The dialog goes on; stop it, or review it at its end.")

    def change(session: Session) -> None:
        review(session, dialog, form.review)
        if form.note:
            flag = Flag(new_id(), "note", "", now(), dialog=dialog, text=form.note, resolved=True)
            add_flag(session, flag)

    await service.database.write(change)
    service.lobby.wake()
    return respond(await _line(service, dialog))


@router.post("/dialogs/{dialog}/stop")
async def stop_dialog(request: Request, dialog: str) -> Response:
    """End a dialog now; both are paid as if the partner had left."""
    service = check_admin(request)
    await _line(service, dialog)
    room = service.rooms.find(dialog)
    if room is None:
        raise Problem(409, "The dialog has ended already.")
    await service.end(room, "stopped")
    return respond(await _line(service, dialog))


@router.post("/flags/{flag}")
async def resolve_flag(request: Request, flag: str) -> Response:
    """Mark a flag as looked at."""
    service = check_admin(request)
    form = await body_of(request, ResolveFlag)

    def change(session: Session) -> Flag:
        row = session.get(FlagRow, flag)
        if row is None:
            raise not_found("flag", flag)
        row.resolved = True
        if form.note:
            row.text = f"{row.text}\n{form.note}".strip()
        session.flush()
        return flags_where(session, FlagRow.id == flag)[0]

    return respond(flag_line(await service.database.write(change)))


@router.post("/messages")
async def send_message(request: Request) -> Response:
    """A notice to one worker, kept until they come, or to all who are there."""
    service = check_admin(request)
    form = await body_of(request, Message)
    receivers = [form.worker] if form.worker else service.presence.workers()

    def change(session: Session) -> None:
        for worker in receivers:
            if session.get(WorkerRow, worker) is None:
                raise not_found("worker", worker)
            add_notice(session, worker, form.text)

    await service.database.write(change)
    for worker in receivers:
        service.connections.send(worker, Notice(text=form.text))
        if service.presence.is_elsewhere(worker):
            service.signals.send(Noticed(worker=worker))
    return Response(status_code=204)


@router.post("/bonus")
async def pay_bonus(request: Request) -> Response:
    """Pay something beside the plan; the same key again changes nothing."""
    service = check_admin(request)
    form = await body_of(request, Bonus)
    entry = bonus(
        key=f"bonus/{form.key}",
        worker=form.worker,
        amount=form.amount,
        currency=service.study.plan.currency,
        at=now(),
        note=form.note,
    )

    def change(session: Session) -> None:
        if session.get(WorkerRow, form.worker) is None:
            raise not_found("worker", form.worker)
        add_entries(session, [entry])

    await service.database.write(change)
    await service.tell_standing(form.worker)
    return respond(await statement_of(service, form.worker))


@router.get("/exports/{name}")
async def export(request: Request, name: str) -> Response:
    """Everything at this moment, as a file."""
    service = check_admin(request)
    study = service.study
    if name not in exports_of(study.protocol.name):
        raise not_found("export", name)
    make, file, media_type = EXPORTS[name]
    content = await service.database.read(lambda session: make(records_of(session, study)))
    return attachment(content, f"{study.table.name}-{file}", media_type)


async def _overview(service: StudyService) -> Response:
    study = service.study
    counts = await service.database.read(lambda session: read_counts(session, study))
    state = annotated_state(counts.dialogs)
    if service.agreement is None or service.agreement[0] != state:  # all actions are read for it
        found = await service.database.read(lambda session: agreement(records_of(session, study)))
        service.agreement = (state, found)
    return respond(overview_of(service, counts, service.agreement[1]))


async def _line(service: StudyService, dialog: str) -> DialogLine:
    name = service.study.protocol.name
    found = await service.database.read(lambda session: find_dialog(session, name, dialog))
    if found is None:
        raise not_found("dialog", dialog)
    return dialog_line(service, found)


def _page(ids: list[str], before: str) -> tuple[set[str], str]:
    """The ids that follow one in a list, and where the next page begins."""
    start = ids.index(before) + 1 if before in ids else 0
    chosen = ids[start : start + AT_ONCE]
    more = start + AT_ONCE < len(ids)
    return set(chosen), chosen[-1] if more else ""
