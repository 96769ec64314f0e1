"""Routes for those who run the service: liveness, readiness, metrics."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from sqlalchemy import text

from seminar.serving.state import State, state_of

router = APIRouter(tags=["operations"])


@router.get("/health")
def health() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get("/ready")
def ready(state: Annotated[State, Depends(state_of)]) -> dict[str, str]:
    """Whether the process can serve: the database answers."""
    with state.reads() as session:
        session.execute(text("SELECT 1"))
    return {"status": "ready"}
