"""Routes of collections: list, create, show, rename, delete, their files, scopes and passages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field
from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from seminar.retrieval.scopes import children, find_scope, with_parents
from seminar.serving.api.pages import After, Limit, Page
from seminar.serving.collections.records import CollectionRecord, collection_records
from seminar.serving.identity.access import Reading, Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.names import checked_name
from seminar.serving.identity.rights import may
from seminar.serving.identity.sharing import collection_of
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Collection, now
from seminar.types import Query as Searched

MOST = 1_000  # of each account
LONGEST_SEARCH = 2_000

router = APIRouter(tags=["collections"])
StateOf = Annotated[State, Depends(state_of)]


class NewCollection(BaseModel):
    name: str = Field(max_length=1000, examples=["Lantern Island"])


class ScopeRecord(BaseModel):
    """A part of a collection, its passages, and whether it has parts itself."""

    path: str
    passages: int
    children: bool


class PassageRecord(BaseModel):
    """A passage that was found; `start` and `end` are offsets in the text of its source."""

    source: str
    start: int
    end: int
    text: str
    title: str
    section: str
    score: float


@router.get("/collections")
def list_collections(
    caller: Reading, state: StateOf, limit: Limit = 50, after: After = None
) -> Page[CollectionRecord]:
    """The collections that the caller may read, oldest first."""
    rows = select(Collection).where(may(caller, "reader"))
    if after is not None:
        rows = rows.where(tuple_(Collection.created, Collection.id) > tuple_(*_place(after)))
    with state.reads() as session:
        ordered = rows.order_by(Collection.created, Collection.id).limit(limit + 1)
        found = session.scalars(ordered).all()
        items = collection_records(session, caller, found[:limit])
    last = found[limit - 1] if len(found) > limit else None
    return Page(items=items, next=None if last is None else f"{last.created.isoformat()}_{last.id}")


def _place(cursor: str) -> tuple[datetime, str]:
    time, _, last = cursor.partition("_")
    try:
        return datetime.fromisoformat(time.replace(" ", "+")), last
    except ValueError:
        raise Problem(422, "'after' is not the 'next' of an earlier page.") from None


@router.post("/collections", status_code=201)
def create_collection(new: NewCollection, caller: Writing, state: StateOf) -> CollectionRecord:
    """Make an empty collection, to upload files into."""
    if caller.account_id is None:
        raise Problem(403, "Visitors may not make collections.")
    name = checked_name(new.name)
    with state.transactions.begin() as session:
        own = session.query(Collection).filter(
            Collection.owner_id == caller.account_id, Collection.deleted.is_(None)
        )
        if own.count() >= MOST:
            raise Problem(409, f"An account has at most {MOST:,} collections: delete one first.")
        collection = Collection(owner_id=caller.account_id, name=name)
        session.add(collection)
        session.flush()
        record(session, "collection.created", caller, collection.id, name=name)
        return _record(session, caller, collection)


@router.get("/collections/{collection_id}")
def show_collection(collection_id: str, caller: Reading, state: StateOf) -> CollectionRecord:
    """A collection with its newest job."""
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", collection_id)
        return _record(session, caller, collection)


@router.patch("/collections/{collection_id}")
def rename_collection(
    collection_id: str, change: NewCollection, caller: Writing, state: StateOf
) -> CollectionRecord:
    """Rename a collection."""
    name = checked_name(change.name)
    with state.transactions.begin() as session:
        collection = collection_of(session, caller, "writer", collection_id)
        collection.name = name
        record(session, "collection.renamed", caller, collection_id, name=name)
        return _record(session, caller, collection)


@router.delete("/collections/{collection_id}", status_code=204)
def delete_collection(collection_id: str, caller: Writing, state: StateOf) -> None:
    """Delete a collection with its files and index; a folder of the server keeps its files."""
    with state.transactions.begin() as session:
        collection = collection_of(session, caller, "owner", collection_id)
        collection.deleted = now()
        record(session, "collection.deleted", caller, collection_id, name=collection.name)
    state.jobs.wake()


@router.get("/collections/{collection_id}/scopes")
def list_scopes(
    collection_id: str,
    caller: Reading,
    state: StateOf,
    path: Annotated[str, Query(max_length=LONGEST_SEARCH)] = "",
    limit: Limit = 200,
    after: After = None,
) -> Page[ScopeRecord]:
    """The parts right below a path, with their passages."""
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", collection_id)
    known = with_parents(state.collections.open(collection).index.scopes())
    below = children(known, find_scope(path, known) if path else "")
    parents = {scope.rpartition("/")[0] for scope in known}
    rest = [scope for scope in below if after is None or scope > after]
    items = [
        ScopeRecord(path=scope, passages=below[scope], children=scope in parents)
        for scope in rest[:limit]
    ]
    return Page(items=items, next=items[-1].path if len(rest) > limit else None)


@router.get("/collections/{collection_id}/passages")
def search_passages(
    collection_id: str,
    caller: Reading,
    state: StateOf,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_SEARCH)],
    scope: Annotated[str, Query(max_length=LONGEST_SEARCH)] = "",
    limit: Limit = 10,
) -> Page[PassageRecord]:
    """Search passages, best first; nothing is read or answered."""
    with state.reads() as session:
        collection = collection_of(session, caller, "reader", collection_id)
    opened = state.collections.open(collection)
    within = find_scope(scope, opened.index.scopes()) if scope else None
    [hits] = opened.assistant.retriever.search([Searched(q, scope=within)], k=limit)
    items = [
        PassageRecord(
            source=hit.passage.source,
            start=hit.passage.start,
            end=hit.passage.end,
            text=hit.passage.text,
            title=hit.passage.title,
            section=hit.passage.section,
            score=hit.score,
        )
        for hit in hits
    ]
    return Page(items=items)


def _record(session: Session, caller: Caller, collection: Collection) -> CollectionRecord:
    [found] = collection_records(session, caller, [collection])
    return found
