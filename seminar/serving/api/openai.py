"""OpenAI's form of the API: a model is a collection, citations are annotations."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from anyio import to_thread
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import select

from seminar.ingestion.segments import count_tokens
from seminar.serving.api.events import event_stream
from seminar.serving.api.urls import page_url
from seminar.serving.completions.answers import Content, content_of
from seminar.serving.completions.messages import Completion, dialogue_of, question_of
from seminar.serving.identity.access import Asking, Reading
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import may
from seminar.serving.problems import not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Collection, new_id
from seminar.types import Span

Record = dict[str, Any]


router = APIRouter(tags=["openai"], prefix="/v1")
Shared = Annotated[State, Depends(state_of)]


@router.get("/models")
def list_models(state: Shared, caller: Reading) -> Record:
    """The collections that the caller may read."""
    models = _models(state, caller)
    return {"object": "list", "data": [_model_record(*one) for one in models.items()]}


@router.get("/models/{model:path}")
def show_model(state: Shared, caller: Reading, model: str) -> Record:
    """One collection."""
    return _model_record(*_find_model(state, caller, model))


@router.post(
    "/chat/completions",
    responses={200: {"content": {"application/json": {}, "text/event-stream": {}}}},
)
async def complete(
    request: Request, state: Shared, caller: Asking, completion: Completion
) -> Response:
    """Answer the last message from the collection, in the conversation of those before it."""
    answered = await _answer(request, state, caller, completion)
    if completion.stream:
        options = completion.stream_options
        return event_stream(_chunks(answered, usage=bool(options and options.include_usage)))
    return JSONResponse(_completion_record(answered))


@dataclass(frozen=True, slots=True)
class Answered:
    """The content of an answer, the model's name, and the tokens of question and history."""

    id: str
    model: str
    content: Content
    asked_tokens: int

    @property
    def usage(self) -> Record:
        """Estimates: nothing is charged by them."""
        answer = count_tokens(self.content.text)
        total = self.asked_tokens + answer
        names = ("prompt_tokens", "completion_tokens", "total_tokens")
        return dict(zip(names, (self.asked_tokens, answer, total), strict=True))


async def _answer(
    request: Request, state: State, caller: Caller, completion: Completion
) -> Answered:
    question = question_of(completion.messages)

    def opened() -> tuple[str, Collection, Any]:
        name, collection = _find_model(state, caller, completion.model)
        return name, collection, state.asking.assistants.open(collection, completion.scope)

    name, collection, files = await to_thread.run_sync(opened)
    dialogue = await to_thread.run_sync(dialogue_of, completion.messages, files.index)
    line = state.asking.line
    searched = await line.search(files.assistant, dialogue, question)
    reply = await line.answer(files.assistant, dialogue, searched)
    if files.assistant.writer is not None:
        writing = state.asking.writing
        reply, _ = await writing.write(files.assistant, dialogue, reply, lambda _: None)

    def address(span: Span) -> str:
        start = span.passage.start + span.start
        end = span.passage.start + span.end
        query = urlencode({"path": span.source, "start": start, "end": end})
        path = f"/api/v1/collections/{collection.id}/source?{query}"
        return page_url(request, state.settings, path)

    content = content_of(reply, address)
    tokens = sum(count_tokens(message.text) for message in completion.messages)
    return Answered(f"chatcmpl-{new_id()}", name, content, tokens)


def _models(state: State, caller: Caller) -> dict[str, Collection]:
    """The collections by name; those that share a name, by id."""
    with state.reads() as session:
        readable = select(Collection).where(may(caller, "reader"), Collection.version > 0)
        collections: Sequence[Collection] = session.scalars(
            readable.order_by(Collection.name, Collection.id)
        ).all()
    names = [one.name for one in collections]
    return {one.name if names.count(one.name) == 1 else one.id: one for one in collections}


def _find_model(state: State, caller: Caller, model: str) -> tuple[str, Collection]:
    """The collection with that name or id."""
    for name, collection in _models(state, caller).items():
        if model in (name, collection.id):
            return name, collection
    raise not_found("model", model)


def _model_record(name: str, collection: Collection) -> Record:
    created = int(collection.created.timestamp())
    return {"id": name, "object": "model", "created": created, "owned_by": "seminar"}


def _completion_record(answered: Answered) -> Record:
    message = {
        "role": "assistant",
        "content": answered.content.text,
        "refusal": None,
        "annotations": list(answered.content.annotations),
    }
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {
        "id": answered.id,
        "object": "chat.completion",
        "created": int(time.time()),
        "model": answered.model,
        "choices": [choice],
        "usage": answered.usage,
    }


async def _chunks(answered: Answered, *, usage: bool) -> AsyncIterator[bytes]:
    """The answer in chunks: its lines, then its annotations, then the usage if it is wanted."""
    first, *others = answered.content.text.splitlines(keepends=True) or [""]
    deltas: list[tuple[Record, str | None]] = [
        ({"role": "assistant", "content": first}, None),
        *(({"content": line}, None) for line in others),
        ({"annotations": list(answered.content.annotations)}, "stop"),
    ]
    for delta, reason in deltas:
        yield _chunk(answered, [{"index": 0, "delta": delta, "finish_reason": reason}])
    if usage:
        yield _chunk(answered, [], usage=answered.usage)
    yield b"data: [DONE]\n\n"


def _chunk(answered: Answered, choices: list[Record], **more: Record) -> bytes:
    record = {
        "id": answered.id,
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": answered.model,
        "choices": choices,
        **more,
    }
    return b"data: " + json.dumps(record, ensure_ascii=False).encode() + b"\n\n"
