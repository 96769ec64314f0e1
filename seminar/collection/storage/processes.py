"""The processes that serve a study together, and whose sockets are at which of them.

Only PostgreSQL is served by several. A process renews its row; one that is silent for `LEASE` has
ended, and whoever was there alone is away.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from seminar.collection.storage.schema import PresenceRow, ProcessRow, WaitingRow, WorkerRow
from seminar.errors import ConfigurationError

LEASE = timedelta(seconds=10)


def register(session: Session, process: str, serves: str, workers: Collection[str]) -> None:
    """Add a process with those whose sockets it has, or put it right after it was silent."""
    row = {"id": process, "seen": func.clock_timestamp(), "serves": serves}
    added = insert(ProcessRow).values(row)
    session.execute(added.on_conflict_do_update(index_elements=["id"], set_={"seen": row["seen"]}))
    session.execute(delete(PresenceRow).where(PresenceRow.process == process))
    for worker in workers:
        come(session, process, worker)


def check_alike(session: Session, serves: str) -> None:
    """Raise an error if another process serves something else over this database."""
    drop_silent(session)
    if session.scalar(select(func.count()).where(ProcessRow.serves != serves)):
        raise ConfigurationError(
            "another process serves this study with another STUDY.toml, corpus or admin's token: "
            "give all of them the same files and the same --folder, or stop the others first"
        )


def renew(session: Session, process: str) -> bool:
    """Say that a process is there; False if others have given it up meanwhile."""
    renewed = update(ProcessRow).where(ProcessRow.id == process)
    found = session.execute(renewed.values(seen=func.clock_timestamp()).returning(ProcessRow.id))
    return found.first() is not None


def drop_silent(session: Session) -> bool:
    """Forget processes that ended without a word; whether there were any."""
    silent = ProcessRow.seen < func.clock_timestamp() - LEASE
    dropped = session.execute(delete(ProcessRow).where(silent).returning(ProcessRow.id)).all()
    if dropped:
        _empty_seats(session)
    return bool(dropped)


def drop(session: Session, process: str) -> None:
    """Forget a process that ends."""
    session.execute(delete(ProcessRow).where(ProcessRow.id == process))
    _empty_seats(session)


def come(session: Session, process: str, worker: str) -> None:
    """A worker has a socket at a process, unless they were deleted meanwhile."""
    known = select(WorkerRow.id, literal(process))
    added = insert(PresenceRow).from_select(
        ["worker", "process"], known.where(WorkerRow.id == worker)
    )
    session.execute(added.on_conflict_do_nothing())


def go(session: Session, process: str, worker: str) -> None:
    """A worker has no socket at a process any more; without any they don't wait either."""
    own = (PresenceRow.process == process, PresenceRow.worker == worker)
    session.execute(delete(PresenceRow).where(*own))
    _empty_seats(session)


def whereabouts(session: Session) -> list[tuple[str, str]]:
    """Every worker with the processes at which they have a socket."""
    return [(row.worker, row.process) for row in session.scalars(select(PresenceRow))]


def _empty_seats(session: Session) -> None:
    """Take those who are nowhere out of the lobby."""
    here = select(PresenceRow.worker)
    session.execute(delete(WaitingRow).where(WaitingRow.worker.not_in(here)))
