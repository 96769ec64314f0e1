"""Routes of uploads: announce a file, append chunks, see how much is there, give up."""

from __future__ import annotations

from contextlib import ExitStack
from typing import IO, Annotated

from fastapi import APIRouter, Depends, Header, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from seminar.serving.collections import uploads
from seminar.serving.identity.access import Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.callers import Caller
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Upload

BUFFER = 1 << 20  # bytes kept in memory before they are written
LARGEST_SIZE = 1 << 50

router = APIRouter(tags=["uploads"])
StateOf = Annotated[State, Depends(state_of)]


class NewUpload(BaseModel):
    path: str = Field(max_length=10_000, examples=["notes/2024.md"])
    size: int = Field(ge=0, le=LARGEST_SIZE, examples=[1_024])


class UploadRecord(BaseModel):
    """An upload, and how many of its bytes are there; all of them means that it is finished."""

    id: str
    path: str
    size: int
    received: int


def upload_record(upload: Upload) -> UploadRecord:
    return UploadRecord(id=upload.id, path=upload.path, size=upload.size, received=upload.received)


@router.post("/collections/{collection_id}/uploads", status_code=201, responses={507: {}})
def announce_upload(
    collection_id: str, new: NewUpload, caller: Writing, state: StateOf
) -> UploadRecord:
    """Announce a file; the same path and size go on where an earlier upload stopped."""
    with state.transactions.begin() as session:
        upload = uploads.announce(
            session, caller, state.settings, where=collection_id, path=new.path, size=new.size
        )
        record(session, "upload.announced", caller, collection_id, path=upload.path, size=new.size)
    if upload.received == upload.size:  # empty, or stopped before it was moved
        uploads.complete(state.transactions, state.settings.folder, upload)
    return upload_record(upload)


@router.get("/uploads/{upload_id}")
def show_upload(upload_id: str, caller: Writing, state: StateOf) -> UploadRecord:
    """How much of a file is there."""
    with state.reads() as session:
        return upload_record(uploads.own_upload(session, caller, upload_id))


@router.patch(
    "/uploads/{upload_id}",
    responses={410: {}},
    openapi_extra={
        "requestBody": {
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
            "required": True,
        }
    },
)
async def append_chunk(
    upload_id: str,
    request: Request,
    caller: Writing,
    state: StateOf,
    upload_offset: Annotated[int, Header(ge=0, le=LARGEST_SIZE)],
) -> UploadRecord:
    """Append the raw body at `Upload-Offset`; the last chunk moves the file into the collection.

    The response comes when the bytes are on disk. What an interrupted request sent counts.
    """
    upload = await run_in_threadpool(_own, state, caller, upload_id)
    with ExitStack() as stack:
        appending = uploads.appending(state.settings.folder, upload, upload_offset)
        file = await run_in_threadpool(stack.enter_context, appending)
        written = await _receive(request, file, upload.size - upload_offset)
        await run_in_threadpool(stack.close)  # on disk before it is acknowledged
    received = upload_offset + written
    await run_in_threadpool(uploads.acknowledge, state.transactions, upload, received)
    if received == upload.size:
        await run_in_threadpool(uploads.complete, state.transactions, state.settings.folder, upload)
    return upload_record(upload)


def _own(state: State, caller: Caller, upload_id: str) -> Upload:
    with state.reads() as session:
        return uploads.own_upload(session, caller, upload_id)


async def _receive(request: Request, file: IO[bytes], most: int) -> int:
    """Write the body of a request as it comes; the bytes written, also if the client goes away."""
    buffer = bytearray()
    written = 0
    try:
        async for part in request.stream():
            buffer += part
            if written + len(buffer) > most:
                raise Problem(413, f"The chunk has more than the {most:,} bytes that are missing.")
            if len(buffer) >= BUFFER:
                written += await run_in_threadpool(file.write, bytes(buffer))
                buffer.clear()
    except ClientDisconnect:
        pass
    return written + await run_in_threadpool(file.write, bytes(buffer))


@router.delete("/uploads/{upload_id}", status_code=204)
def give_up_upload(upload_id: str, caller: Writing, state: StateOf) -> None:
    """Forget an upload."""
    with state.transactions.begin() as session:
        upload = uploads.own_upload(session, caller, upload_id)
        uploads.give_up(session, state.settings.folder, upload)
