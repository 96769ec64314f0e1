"""Routes for those who run a study: whether the process lives, and whether it can serve."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from seminar.collection.api.bodies import service_of
from seminar.collection.storage.database import ping
from seminar.serving.problems import Problem
from seminar.serving.storage.engines import UNREACHABLE

router = APIRouter()


@router.get("/health")
async def health() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get("/ready")
async def ready(request: Request) -> Response:
    """Whether it can serve: it does not stop, and the database answers."""
    service = service_of(request)
    if service.stopping.is_set():
        raise Problem(503, "The study's server is about to stop.")
    try:
        await service.database.read(ping)
    except UNREACHABLE:
        raise Problem(503, "The database doesn't answer.") from None
    return Response('{"status":"ready"}', media_type="application/json")
