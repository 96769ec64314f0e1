"""Prometheus metrics: of this process, or of all workers where they share a folder."""

from __future__ import annotations

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from seminar.serving.storage.schema import Collection, Job, StoredTurn

SHARED = "PROMETHEUS_MULTIPROC_DIR"  # read by prometheus_client when it is imported
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

REQUESTS = Counter(
    "seminar_requests", "Requests by route and status.", ["method", "route", "status"]
)
REQUEST_SECONDS = Histogram(
    "seminar_request_seconds", "Seconds to the end of a response.", ["route"], buckets=SECONDS
)
STAGE_SECONDS = Histogram(
    "seminar_stage_seconds",
    "Seconds that a stage of answering takes, with the wait for it.",
    ["stage"],
    buckets=SECONDS,
)
WAITING = Gauge(
    "seminar_questions_in_progress",
    "Questions that are being answered.",
    multiprocess_mode="livesum",
)


def share(folder: Path) -> None:
    """Let the workers of this process count in files of a folder, so that each shows all.

    The workers inherit the variable; this process itself has imported the library already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.db"):
        old.unlink()
    os.environ[SHARED] = str(folder)


def exposition(session: Session) -> bytes:
    """All metrics in Prometheus' text format."""
    registry = REGISTRY
    if SHARED in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry) + generate_latest(_stored(session))


def _stored(session: Session) -> CollectorRegistry:
    """What the database counts, which is the same in every process."""
    registry = CollectorRegistry()
    jobs = Gauge("seminar_jobs", "Jobs of indexing by state.", ["state"], registry=registry)
    rows = session.execute(select(Job.state, func.count()).group_by(Job.state))
    counts = {state: count for state, count in rows}  # noqa: C416 - rows are not pairs to mypy
    for state in ("waiting", "running", "done", "failed"):
        jobs.labels(state).set(counts.get(state, 0))
    collections = Gauge("seminar_collections", "Collections.", registry=registry)
    present = select(func.count()).where(Collection.deleted.is_(None))
    collections.set(session.scalar(present) or 0)
    turns = Gauge("seminar_turns", "Questions that were answered.", registry=registry)
    turns.set(session.scalar(select(func.count()).select_from(StoredTurn)) or 0)
    return registry
