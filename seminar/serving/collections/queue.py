"""The jobs of indexing in the database: ask for one, take one, renew its lease, end it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from seminar.serving.storage.schema import Collection, Job, now

LEASE = timedelta(seconds=15)
KEPT = 5  # ended jobs of a collection
POSTPONED = timedelta(seconds=5)  # a job whose index another process is writing
ACTIVE = ("waiting", "running")


def enqueue(session: Session, collection_id: str, *, forget: bool = False) -> Job:
    """A job that indexes the collection: the one that waits or runs, else a new one.

    A new one with `forget` forgets also more files than an update does by itself.

    The row of the collection is locked, so that a running job can't end in between: it looks for
    changed files once more before it does.
    """
    _lock(session, collection_id)
    job = session.scalars(
        select(Job).where(Job.collection_id == collection_id, Job.state.in_(ACTIVE)).limit(1)
    ).first()
    if job is None:
        job = Job(collection_id=collection_id, progress={"forget": True} if forget else {})
        session.add(job)
        session.flush()
    return job


def claim(session: Session, worker: str) -> Job | None:
    """Take the oldest job that waits, or whose process has not renewed its lease."""
    job = session.scalars(
        select(Job)
        .join(Collection)
        .where(is_free(), Collection.deleted.is_(None))
        .order_by(Job.created)
        .limit(1)
        .with_for_update(skip_locked=True, of=Job)
    ).first()
    if job is not None:
        job.state, job.worker, job.lease = "running", worker, now() + LEASE
    return job


def is_free() -> ColumnElement[bool]:
    """The condition that nobody works at a job that is to be done."""
    return or_(Job.state == "waiting", and_(Job.state == "running", Job.lease < now()))


def renew(session: Session, job_id: str, worker: str, progress: Mapping[str, object]) -> bool:
    """Renew the lease of a running job; False if it is another's now, or no longer wanted."""
    job = _own(session, job_id, worker)
    if job is None:
        return False
    job.lease, job.progress = now() + LEASE, dict(progress)
    return True


def release(session: Session, job_id: str, worker: str) -> None:
    """Let another process, or the next start, go on with a job."""
    job = _own(session, job_id, worker)
    if job is not None:
        job.state, job.worker, job.lease = "waiting", None, None


def postpone(session: Session, job_id: str, worker: str, progress: Mapping[str, object]) -> None:
    """Leave a job for a while, after which any process takes it again."""
    job = _own(session, job_id, worker)
    if job is not None:
        job.worker, job.lease, job.progress = None, now() + POSTPONED, dict(progress)


def finish(
    session: Session, job_id: str, worker: str, *, progress: Mapping[str, object], error: str = ""
) -> Collection | None:
    """End a job, and forget old ones; the collection, locked, or None if the job was lost."""
    job = _own(session, job_id, worker)
    if job is None:
        return None
    collection = session.get_one(Collection, job.collection_id)
    job.state, job.error = ("failed", error) if error else ("done", None)
    job.progress, job.finished, job.worker, job.lease = dict(progress), now(), None, None
    ended = select(Job.id).where(Job.collection_id == collection.id, Job.state.not_in(ACTIVE))
    old = session.scalars(ended.order_by(Job.finished.desc()).offset(KEPT)).all()
    session.execute(delete(Job).where(Job.id.in_(old)))
    return collection


def _own(session: Session, job_id: str, worker: str) -> Job | None:
    """A job that this worker has, of a collection that is still there, with the latter locked."""
    found = session.scalars(
        select(Job)
        .join(Collection)
        .where(
            Job.id == job_id,
            Job.worker == worker,
            Job.state == "running",
            Collection.deleted.is_(None),
        )
    ).first()
    if found is None:
        return None
    _lock(session, found.collection_id)
    session.refresh(found)
    return found if found.worker == worker else None


def _lock(session: Session, collection_id: str) -> None:
    session.execute(select(Collection.id).where(Collection.id == collection_id).with_for_update())
