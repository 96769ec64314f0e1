"""Routes for those who run the service: liveness, readiness, metrics."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from sqlalchemy import text

from seminar.serving.identity.access import Administering
from seminar.serving.observing.metrics import exposition
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.engines import UNREACHABLE

router = APIRouter(tags=["operations"])
StateOf = Annotated[State, Depends(state_of)]


class Health(BaseModel):
    status: Literal["ok"] = "ok"


class Readiness(BaseModel):
    status: Literal["ready"] = "ready"


@router.get("/health")
async def health() -> Health:
    """Whether the process answers."""
    return Health()


@router.get("/ready")
def ready(state: StateOf) -> Readiness:
    """Whether it can serve: it does not stop, the models are loaded, the database answers."""
    if state.stopping.is_set():
        raise Problem(503, "The service is about to stop.")
    if state.models.problem:
        raise Problem(503, state.models.problem)
    try:
        with state.reads() as session:
            session.execute(text("SELECT 1"))
    except UNREACHABLE:
        raise Problem(503, "The database doesn't answer.") from None
    return Readiness()


@router.get("/metrics", response_class=Response)
def metrics(caller: Administering, state: StateOf) -> Response:
    """Prometheus' metrics; with several users, for an admin's token."""
    with state.reads() as session:
        return Response(exposition(session), media_type=CONTENT_TYPE_LATEST)
