"""Routes of indexing: begin a job, see its progress, or have it sent until it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from seminar.serving.api.events import KEEP_ALIVE, event, event_stream
from seminar.serving.collections.queue import ACTIVE, enqueue
from seminar.serving.collections.records import JobRecord, job_record
from seminar.serving.identity.access import Reading, Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import may
from seminar.serving.identity.sharing import collection_of
from seminar.serving.problems import Problem, not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.engines import UNREACHABLE
from seminar.serving.storage.schema import Collection, Job

LOOK_SECONDS = 0.25
QUIET_SECONDS = 15.0  # before proxies take a stream for dead

router = APIRouter(tags=["jobs"])
StateOf = Annotated[State, Depends(state_of)]


@router.post("/collections/{collection_id}/index", status_code=202)
def begin_indexing(
    collection_id: str, caller: Writing, state: StateOf, forget: bool = False
) -> JobRecord:
    """Index what changed; a job that waits or runs already is returned, and sees it too.

    Of a folder of the server, more than a fifth of the files are forgotten only with `forget`.
    """
    with state.transactions.begin() as session:
        collection = collection_of(session, caller, "writer", collection_id)
        job = enqueue(session, collection.id, forget=forget)
        record(session, "index.requested", caller, collection_id)
    state.jobs.wake()
    return job_record(job)


@router.get("/jobs/{job_id}")
def show_job(job_id: str, caller: Reading, state: StateOf) -> JobRecord:
    """The state and progress of a job."""
    return _job(state, caller, job_id)


@router.get(
    "/jobs/{job_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def follow_job(job_id: str, caller: Reading, state: StateOf) -> StreamingResponse:
    """Send `progress` whenever it changes, then `done` or `failed`."""
    first = await run_in_threadpool(_job, state, caller, job_id)
    return event_stream(_events(state, caller, first))


async def _events(state: State, caller: Caller, job: JobRecord) -> AsyncIterator[bytes]:
    """The events of a job; the stream ends early when the service stops, or the job goes away."""
    sent, quiet_since = None, time.monotonic()
    while job.state in ACTIVE and not state.stopping.is_set():
        shown = job.model_dump(mode="json")
        if shown != sent:
            yield event("progress", shown)
            sent, quiet_since = shown, time.monotonic()
        elif time.monotonic() - quiet_since > QUIET_SECONDS:
            yield KEEP_ALIVE
            quiet_since = time.monotonic()
        await asyncio.sleep(LOOK_SECONDS)
        try:
            job = await run_in_threadpool(_job, state, caller, job.id)
        except Problem:  # deleted, or no longer shared
            return
        except UNREACHABLE:
            continue  # there is news when the database answers again
    if job.state not in ACTIVE:
        yield event(job.state, job.model_dump(mode="json"))


def _job(state: State, caller: Caller, job_id: str) -> JobRecord:
    readable = select(Job).join(Collection).where(Job.id == job_id, may(caller, "reader"))
    with state.reads() as session:
        job = session.scalars(readable).first()
    if job is None:
        raise not_found("job", job_id)
    return job_record(job)
