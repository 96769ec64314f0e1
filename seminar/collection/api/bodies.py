"""Requests and responses with the types of `messages`, and who may send them."""

from __future__ import annotations

import time
from typing import TypeVar

import msgspec
from fastapi import Request, Response

from seminar.collection.live.service import StudyService
from seminar.collection.storage.workers import worker_of
from seminar.serving.identity.secret import hash_of
from seminar.serving.problems import Problem

Body = TypeVar("Body")
JSON = "application/json"


def service_of(request: Request) -> StudyService:
    service: StudyService = request.app.state.study
    return service


async def body_of(request: Request, kind: type[Body]) -> Body:
    """The body of a request as a type of the contract."""
    try:
        return msgspec.json.decode(await request.body() or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, f"The body of the request is not valid: {error}") from error


def respond(content: object) -> Response:
    return Response(msgspec.json.encode(content), media_type=JSON)


async def worker_from(request: Request) -> str:
    """The worker whose token a request has."""
    service = service_of(request)
    token = _token(request)
    worker = await service.database.read(lambda session: worker_of(session, token))
    if worker is None:
        raise Problem(401, "The token is not valid (any more): open the study's link again.")
    if service.requests.seconds_to_wait(worker, time.monotonic()):
        raise Problem(429, "Too many requests; wait a moment.", headers={"Retry-After": "5"})
    return worker


def check_admin(request: Request) -> StudyService:
    """Raise a problem unless a request has the admin's token."""
    if hash_of(_token(request)) != request.app.state.admin_hash:
        raise Problem(401, "The admin's token is wrong: open the link that the server printed.")
    return service_of(request)


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token or not token.isascii():
        headers = {"WWW-Authenticate": "Bearer"}
        raise Problem(401, "This needs a token: Authorization: Bearer TOKEN.", headers=headers)
    return token.strip()


def attachment(content: bytes | str, name: str, media_type: str) -> Response:
    """A file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
