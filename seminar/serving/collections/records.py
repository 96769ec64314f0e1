"""Collections and jobs as the API gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import ROLES, Role, may
from seminar.serving.storage.schema import Collection, Job


class JobProgress(BaseModel):
    """Bytes read of how many, what is done, and the file that is read."""

    done: int = 0
    total: int = 0
    stage: str = "waiting"
    file: str = ""


class JobRecord(BaseModel):
    """A run of indexing: "waiting", "running", "done" or "failed" with its error."""

    id: str
    collection: str
    state: str
    progress: JobProgress
    error: str | None
    created: datetime
    finished: datetime | None


class CollectionRecord(BaseModel):
    """A collection with the caller's role, counts of its index, and its newest job."""

    id: str
    name: str
    role: Role
    path: str | None
    files: int
    passages: int
    problems: int
    job: JobRecord | None
    version: int
    created: datetime


def job_record(job: Job) -> JobRecord:
    return JobRecord(
        id=job.id,
        collection=job.collection_id,
        state=job.state,
        progress=JobProgress.model_validate(job.progress),
        error=job.error,
        created=job.created,
        finished=job.finished,
    )


def collection_records(
    session: Session, caller: Caller, collections: Sequence[Collection]
) -> list[CollectionRecord]:
    """The record of each collection; only admins see where a folder of the server is."""
    ids = [one.id for one in collections]
    roles = _roles(session, caller, ids)
    newest, done = jobs_of(session, ids)
    records: list[CollectionRecord] = []
    for one in collections:
        found = done[one.id].progress if one.id in done else {}
        records.append(
            CollectionRecord(
                id=one.id,
                name=one.name,
                role=roles[one.id],
                path=_shown_path(one, caller),
                files=int(found.get("files", 0)),
                passages=int(found.get("passages", 0)),
                problems=int(found.get("problems", 0)),
                job=job_record(newest[one.id]) if one.id in newest else None,
                version=one.version,
                created=one.created,
            )
        )
    return records


def _shown_path(collection: Collection, caller: Caller) -> str | None:
    if collection.path is None or caller.is_admin:
        return collection.path
    return Path(collection.path).name


def jobs_of(session: Session, ids: Iterable[str]) -> tuple[dict[str, Job], dict[str, Job]]:
    """The newest job of each collection, and the newest that is done."""
    jobs = select(Job).where(Job.collection_id.in_(ids)).order_by(Job.created)
    newest: dict[str, Job] = {}
    done: dict[str, Job] = {}
    for job in session.scalars(jobs):
        newest[job.collection_id] = job
        if job.state == "done":
            done[job.collection_id] = job
    return newest, done


def _roles(session: Session, caller: Caller, ids: Sequence[str]) -> dict[str, Role]:
    """The highest role of the caller in each of these collections."""
    roles: dict[str, Role] = {}
    for role in ROLES:
        held = select(Collection.id).where(Collection.id.in_(ids), may(caller, role))
        roles.update((one, role) for one in session.scalars(held))
    return roles
