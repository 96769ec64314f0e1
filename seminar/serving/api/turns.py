"""Routes of turns: ask, with the stages as server-sent events or plain, and feedback."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from seminar.errors import SeminarError
from seminar.serving.api.dialogues import Id, Shared
from seminar.serving.api.events import KEEP_ALIVE, event, event_stream
from seminar.serving.dialogues import store
from seminar.serving.dialogues.asking import Event, Question
from seminar.serving.dialogues.records import Record, feedback_record
from seminar.serving.identity.access import Asking
from seminar.serving.problems import UNEXPECTED, Problem, problem_record, without_database
from seminar.serving.storage.engines import UNREACHABLE

router = APIRouter(tags=["dialogues"])
log = logging.getLogger(__name__)

QUIET_SECONDS = 15.0  # between two signs of life, so that proxies keep the connection
STREAM = "text/event-stream"
LONGEST_BODY = 100_000  # characters; the error for a long question says how long it may be


class NewTurn(BaseModel):
    """A question."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"question": "Who founded it?"}]})
    question: str = Field(max_length=LONGEST_BODY)


class SaidSpan(BaseModel):
    """The words that would have been right, and where they stand."""

    source: str = Field(max_length=4_000)
    start: int = Field(ge=0, le=1 << 50)
    end: int = Field(ge=0, le=1 << 50)
    text: str = Field(max_length=10_000)


class Said(BaseModel):
    """What the caller says of a turn."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"right": False, "comment": "It was the other Brennan."}]}
    )
    right: bool
    span: SaidSpan | None = None
    comment: str = Field("", max_length=4_000)


@router.post(
    "/dialogues/{id}/turns",
    responses={200: {"content": {"application/json": {}, STREAM: {}}}},
)
async def ask(
    request: Request,
    state: Shared,
    caller: Asking,
    id: Id,
    turn: NewTurn,
    idempotency_key: Annotated[str | None, Header()] = None,
) -> Response:
    """Ask; `Accept: text/event-stream` gives the stages as they come, otherwise the turn."""
    question = Question(caller, id.replace("\0", "\ufffd"), turn.question, idempotency_key)
    events = state.asking.ask(question)
    if STREAM not in request.headers.get("accept", ""):
        seen = [record async for _, record in events]
        return JSONResponse(seen[-1])
    first = await anext(events)  # an error of the request is a response of its own
    return event_stream(_sent(first, events))


@router.put("/dialogues/{id}/turns/{number}/feedback")
def put_feedback(
    state: Shared,
    caller: Asking,
    id: Id,
    number: Annotated[int, Path(ge=1, le=1_000_000)],
    said: Said,
) -> Record:
    """Say whether a turn is right, and which words would have been."""
    record = said.model_dump()
    record["comment"] = said.comment.replace("\0", "\ufffd")
    if said.span:
        if said.span.end < said.span.start:
            raise Problem(422, f"span: end = {said.span.end} is before start = {said.span.start}.")
        words = {key: record["span"][key].replace("\0", "\ufffd") for key in ("source", "text")}
        record["span"] = {**record["span"], **words}
    with state.transactions.begin() as session:
        dialogue = store.find_dialogue(session, caller, id.replace("\0", "\ufffd"))
        turn = store.find_turn(session, dialogue, number)
        return feedback_record(store.put_feedback(session, caller, turn, record))


async def _sent(first: Event, rest: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """The events as they are sent; an error after the first one is an event too."""
    yield event(*first)
    try:
        async for one in kept_alive(rest):
            yield event(*one) if one else KEEP_ALIVE
    except Problem as problem:
        yield event("error", problem_record(problem))
    except SeminarError as error:
        yield event("error", problem_record(Problem(422, str(error))))
    except UNREACHABLE as error:
        yield event("error", problem_record(without_database(error)))
    except Exception:
        log.exception("a question failed")
        unexpected = Problem(500, UNEXPECTED)
        yield event("error", problem_record(unexpected))


async def kept_alive(events: AsyncIterator[Event]) -> AsyncIterator[Event | None]:
    """The events, and None whenever none came for a while."""
    while True:
        coming = asyncio.create_task(_next(events))
        try:
            while not (await asyncio.wait({coming}, timeout=QUIET_SECONDS))[0]:
                yield None
        finally:
            if not coming.done():
                coming.cancel()
        one = coming.result()
        if one is None:
            return
        yield one


async def _next(events: AsyncIterator[Event]) -> Event | None:
    """The next event; None after the last one."""
    try:
        return await anext(events)
    except StopAsyncIteration:
        return None
