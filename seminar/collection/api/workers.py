"""The routes of workers: joining, consent, standing, tasks, pages, pay and withdrawal."""

from __future__ import annotations

import secrets
import time

from fastapi import APIRouter, Request, Response, WebSocket
from sqlalchemy.orm import Session

from seminar.collection.api.bodies import (
    attachment,
    body_of,
    respond,
    service_of,
    worker_from,
)
from seminar.collection.live.service import StudyService
from seminar.collection.live.socket import serve_socket
from seminar.collection.live.standing import study_state
from seminar.collection.messages.forms import (
    Begin,
    Begun,
    Consent,
    Join,
    Joined,
    PayLine,
    PayStatement,
    StudyTexts,
    Withdrawal,
)
from seminar.collection.messages.views import ReadablePage
from seminar.collection.pay.ledger import Entry
from seminar.collection.pay.statements import statement
from seminar.collection.storage.dialogs import entries_of
from seminar.collection.storage.workers import Identity, agree, forget, join
from seminar.serving.identity.limits import address_key
from seminar.serving.problems import Problem, not_found

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"  # of MTurk, before the task was accepted
NAMES = {"prolific": "PROLIFIC_PID", "mturk": "workerId"}  # of the worker, by platform
LONGEST_NAME = 200

router = APIRouter()


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """The socket of a worker."""
    await serve_socket(socket, socket.app.state.study)


@router.get("/study")
async def study_texts(request: Request) -> Response:
    """What anybody may know of the study."""
    service = service_of(request)
    study, table = service.study, service.study.table
    state = await service.database.read(study_state)
    instructions = {
        name.removeprefix("instructions "): text
        for name, text in study.texts.items()
        if name.startswith("instructions ")
    }
    return respond(
        StudyTexts(
            name=table.name,
            title=table.title,
            protocol=study.protocol.name,
            state=state,
            platform=table.platform.name,
            needs_code=bool(table.platform.join_code),
            introduction=study.texts["introduction"],
            consent=study.texts["consent"],
            consent_version=study.consent_version,
            instructions=instructions,
            currency=study.plan.currency,
            report_problems=tuple(table.report_problems),
            practice=tuple(table.assistant.practice),
            minimum_turns=study.least_turns,
            contact=table.texts.contact,
        )
    )


@router.post("/join")
async def join_study(request: Request) -> Response:
    """Become a worker, or come back with a new token."""
    service = service_of(request)
    address = address_key(request.client.host if request.client else "")
    if service.joins.seconds_to_wait(address, time.monotonic()):
        raise Problem(429, "Too many people join at once; wait a moment.")
    form = await body_of(request, Join)
    if await service.database.read(study_state) == "closed":
        raise Problem(409, "The study is closed.")
    identity = identity_of(service, form)
    worker, token = await service.database.write(lambda session: join(session, identity))
    return respond(Joined(token=token, standing=await service.standing(worker)))


@router.get("/standing")
async def standing(request: Request) -> Response:
    worker = await worker_from(request)
    return respond(await service_of(request).standing(worker))


@router.post("/consent")
async def consent(request: Request) -> Response:
    """Agree; who doesn't is forgotten."""
    worker, service = await worker_from(request), service_of(request)
    form = await body_of(request, Consent)
    if form.version != service.study.consent_version:
        raise Problem(409, "The consent text has changed meanwhile: read it again.")
    if not form.agreed:
        if (await service.standing(worker)).step != "consent":
            raise Problem(409, "You agreed already; withdraw to have your data deleted.")
        await service.database.write(lambda session: forget(session, worker))
        await service.database.forget_deleted()
        return Response(status_code=204)
    await service.database.write(lambda session: agree(session, worker, form.version))
    return respond(await service.standing(worker))


@router.post("/tasks")
async def begin_task(request: Request) -> Response:
    """Begin a task that is done alone, or a practice."""
    worker, service = await worker_from(request), service_of(request)
    form = await body_of(request, Begin)
    dialog = await service.begin_task(worker, form.task, form.role)
    return respond(Begun(dialog.id))


@router.get("/dialogs/{dialog}/page")
async def page(request: Request, dialog: str, page: str) -> Response:
    """A page that the worker's role may read now."""
    worker, service = await worker_from(request), service_of(request)
    room = service.rooms.find(dialog)
    role = room.role_of(worker) if room else ""
    if room is None or not role or page not in room.progress.activity.pages(role):
        raise not_found("page", page)
    return respond(_readable(service, page))


@router.get("/pay")
async def pay(request: Request) -> Response:
    """Every line of one's pay."""
    worker, service = await worker_from(request), service_of(request)
    return respond(await statement_of(service, worker))


@router.get("/pay.csv")
async def pay_file(request: Request) -> Response:
    worker, service = await worker_from(request), service_of(request)
    entries = await service.database.read(lambda session: entries_of(session, worker))
    return attachment(statement(entries, worker), "pay.csv", "text/csv; charset=utf-8")


@router.post("/withdraw")
async def withdraw(request: Request) -> Response:
    """Delete everything of the worker."""
    worker, service = await worker_from(request), service_of(request)
    form = await body_of(request, Withdrawal)
    if not form.confirmed:
        raise Problem(422, "Withdrawal deletes all your data; it needs 'confirmed': true.")
    await service.withdraw(worker)
    return Response(status_code=204)


def identity_of(service: StudyService, form: Join) -> Identity:
    """Who joins, by the parameters of the platform's link."""
    platform = service.study.table.platform
    known = {name: value for name, value in form.parameters.items() if "\0" not in value}
    if not platform.name:
        if platform.join_code and not secrets.compare_digest(
            known.get("code", "").encode(), platform.join_code.encode()
        ):
            raise Problem(403, "The code of the study is wrong.")
        return Identity("", secrets.token_hex(16), {})
    if known.get("assignmentId") == PREVIEW:
        raise Problem(409, "This is a preview: accept the task first.")
    name = known.get(NAMES[platform.name], "").strip()
    if not name or len(name) > LONGEST_NAME:
        raise Problem(422, f"The link lacks {NAMES[platform.name]}: open it from the platform.")
    return Identity(platform.name, name, known)


async def statement_of(service: StudyService, worker: str) -> PayStatement:
    """The lines of a worker's pay, and their sum."""

    def read(session: Session) -> list[Entry]:
        return entries_of(session, worker)

    entries = await service.database.read(read)
    return PayStatement(
        currency=service.study.plan.currency,
        lines=tuple(
            PayLine(
                time=one.at, kind=one.kind, amount=one.amount, dialog=one.dialogue, note=one.note
            )
            for one in entries
        ),
        total=sum(one.amount for one in entries),
    )


def _readable(service: StudyService, name: str) -> ReadablePage:
    """A page with the links that lead to pages of the corpus."""
    index = service.study.index
    found = index.pages[name]
    return ReadablePage(
        id=found.id,
        title=found.title,
        text=found.text,
        sections=found.sections,
        links=tuple(link for link in found.links if link.target in index.pages),
        elements=found.elements,
        url=found.url,
    )
