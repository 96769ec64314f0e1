"""Routes of dialogues: list, begin, show, rename, scope, fork, export, delete."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from seminar.dialogue_exports import EXPORTS
from seminar.retrieval.scopes import find_scope
from seminar.serving.dialogues import store
from seminar.serving.dialogues.records import Record, dialogue_record, turn_record
from seminar.serving.identity.access import Asking, Reading
from seminar.serving.identity.audit import record
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.sharing import collection_of
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import ID_LENGTH, NAME_LENGTH, Collection, StoredDialogue, now

router = APIRouter(tags=["dialogues"])

Shared = Annotated[State, Depends(state_of)]
Id = Annotated[str, Path(max_length=ID_LENGTH)]
SCOPE_LENGTH = 4_000


class NewDialogue(BaseModel):
    """The collection to ask, and the part of it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"collection": "0f3c…", "scope": "slack/general"}]}
    )
    collection: str = Field(max_length=ID_LENGTH)
    scope: str = Field("", max_length=SCOPE_LENGTH)
    title: str = Field("", max_length=NAME_LENGTH)


class ChangedDialogue(BaseModel):
    """A new title or scope; what is not given stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "The ferry"}]})
    title: str | None = Field(None, max_length=NAME_LENGTH)
    scope: str | None = Field(None, max_length=SCOPE_LENGTH)


class Fork(BaseModel):
    """The number of the first turn that is left out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"number": 2}]})
    number: int = Field(ge=1, le=1_000_000)


@router.get("/dialogues")
def list_dialogues(
    state: Shared,
    caller: Reading,
    q: Annotated[str, Query(max_length=200)] = "",
    collection: Annotated[str, Query(max_length=ID_LENGTH)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[str, Query(max_length=100)] = "",
) -> Record:
    """The caller's dialogues, those changed last first; `q` searches questions and answers."""
    with state.reads() as session:
        wanted = store.Wanted(_stored(q), _stored(collection), limit, _stored(after))
        found, last = store.list_dialogues(session, caller, wanted)
    return {"items": [_listed(one, q) for one in found], "next": last}


@router.post("/dialogues", status_code=201)
def begin_dialogue(state: Shared, caller: Asking, new: NewDialogue) -> Record:
    """Begin a dialogue over a collection."""
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", _stored(new.collection))
    scope = _checked_scope(state, collection, new.scope)
    with state.transactions.begin() as session:
        collection = collection_of(session, caller, "reader", collection.id)
        title = _stored(new.title)
        return dialogue_record(store.begin(session, caller, collection, scope=scope, title=title))


@router.get("/dialogues/{id}")
def show_dialogue(state: Shared, caller: Reading, id: Id) -> Record:
    """A dialogue with its turns."""
    with state.reads() as session:
        dialogue = store.find_dialogue(session, caller, _stored(id))
        said = store.feedback_of(session, caller, dialogue)
        turns = store.turns_of(session, dialogue)
        return {
            **dialogue_record(dialogue),
            "turns": [turn_record(turn, said.get(turn.number)) for turn in turns],
        }


@router.patch("/dialogues/{id}")
def change_dialogue(state: Shared, caller: Asking, id: Id, changed: ChangedDialogue) -> Record:
    """Rename a dialogue, or ask another part of its collection from now on."""
    scope = None
    if changed.scope is not None:
        scope = _checked_scope(state, _collection_of(state, caller, id), changed.scope)
    with state.transactions.begin() as session:
        dialogue = store.find_dialogue(session, caller, _stored(id))
        if changed.title is not None:
            dialogue.title = _stored(changed.title)
        if scope is not None:
            dialogue.scope = scope
            dialogue.changed = now()
        return dialogue_record(dialogue)


@router.delete("/dialogues/{id}", status_code=204)
def delete_dialogue(state: Shared, caller: Asking, id: Id) -> None:
    """Delete a dialogue with its turns and their feedback."""
    with state.transactions.begin() as session:
        dialogue = store.find_dialogue(session, caller, _stored(id))
        record(session, "dialogue.deleted", caller, dialogue.id)
        session.delete(dialogue)


@router.post("/dialogues/{id}/fork", status_code=201)
def fork_dialogue(state: Shared, caller: Asking, id: Id, fork: Fork) -> Record:
    """Begin a dialogue with the turns before a number, as to ask that question differently."""
    with state.transactions.begin() as session:
        dialogue = store.find_dialogue(session, caller, _stored(id))
        return dialogue_record(store.fork(session, caller, dialogue, fork.number))


@router.get(
    "/dialogues/{id}/export",
    responses={
        200: {"content": {one.media_type.partition(";")[0]: {} for one in EXPORTS.values()}}
    },
)
def export_dialogue(
    state: Shared,
    caller: Reading,
    id: Id,
    format: Literal["json", "markdown", "html"] = "json",
) -> Response:
    """A dialogue as a file."""
    export = EXPORTS[format]
    content = export.write(show_dialogue(state, caller, id)).encode()
    headers = {
        "Content-Disposition": f'attachment; filename="dialogue.{export.suffix}"',
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return Response(content, media_type=export.media_type, headers=headers)


def _listed(found: store.Found, q: str) -> Record:
    record = dialogue_record(found.dialogue)
    if found.turn is None:
        return record
    return {**record, "match": store.excerpt(found.turn, q), "number": found.turn.number}


def _collection_of(state: State, caller: Caller, id: str) -> Collection:
    with state.reads() as session:
        dialogue: StoredDialogue = store.find_dialogue(session, caller, _stored(id))
        return collection_of(session, caller, "reader", dialogue.collection_id)


def _checked_scope(state: State, collection: Collection, scope: str) -> str:
    """The path of a scope that the index knows; an unknown one is an error that suggests others."""
    if not scope:
        return ""
    return find_scope(_stored(scope), state.collections.open(collection).index.scopes())


def _stored(text: str) -> str:
    """Text that a database can hold: PostgreSQL takes no NUL."""
    return text.replace("\0", "\ufffd")
