"""Routes of public links: anybody who has one may read and ask a collection."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from sqlalchemy import func, select

from seminar.serving.api.pages import Page
from seminar.serving.api.session import check_multi_user
from seminar.serving.api.urls import page_url
from seminar.serving.identity.access import Reading, Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.rights import may
from seminar.serving.identity.secret import hash_of, new_secret
from seminar.serving.identity.sharing import collection_of
from seminar.serving.problems import Problem, not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Collection, PublicLink, now

MOST = 100  # of each collection

router = APIRouter(tags=["sharing"])
StateOf = Annotated[State, Depends(state_of)]


class NewLink(BaseModel):
    expires_days: int | None = Field(None, ge=1, le=3650)


class LinkRecord(BaseModel):
    """A public link; `url` has its secret and is there only when it is made."""

    id: str
    created: datetime
    expires: datetime | None
    url: str | None = None


def link_record(link: PublicLink, url: str | None = None) -> LinkRecord:
    return LinkRecord(id=link.id, created=link.created, expires=link.expires, url=url)


@router.get("/collections/{collection_id}/links")
def list_links(collection_id: str, caller: Reading, state: StateOf) -> Page[LinkRecord]:
    """The public links of a collection, for its owners."""
    with state.reads() as db:
        collection = collection_of(db, caller, "owner", collection_id)
        rows = select(PublicLink).where(PublicLink.collection_id == collection.id)
        links = db.scalars(rows.order_by(PublicLink.created)).all()
    return Page(items=[link_record(link) for link in links])


@router.post("/collections/{collection_id}/links", status_code=201)
def create_link(
    collection_id: str, new: NewLink, request: Request, caller: Writing, state: StateOf
) -> LinkRecord:
    """Make a public link; its URL is shown only in this response."""
    check_multi_user(state)
    secret = new_secret()
    days = new.expires_days
    with state.transactions.begin() as db:
        collection = collection_of(db, caller, "owner", collection_id)
        count = select(func.count()).where(PublicLink.collection_id == collection.id)
        if (db.scalar(count) or 0) >= MOST:
            raise Problem(409, f"A collection has at most {MOST} links: withdraw one first.")
        link = PublicLink(
            collection_id=collection.id,
            secret_hash=hash_of(secret),
            expires=None if days is None else now() + timedelta(days=days),
        )
        db.add(link)
        db.flush()
        record(db, "link.created", caller, collection.id, link=link.id, days=days)
    return link_record(link, page_url(request, state.settings, f"/link/{secret}"))


@router.delete("/links/{link_id}", status_code=204)
def delete_link(link_id: str, caller: Writing, state: StateOf) -> None:
    """Withdraw a public link: its visitors lose access at once, their dialogues are deleted."""
    owned = select(Collection.id).where(may(caller, "owner"))
    with state.transactions.begin() as db:
        link = db.scalar(
            select(PublicLink).where(PublicLink.id == link_id, PublicLink.collection_id.in_(owned))
        )
        if link is None:
            raise not_found("link", link_id)
        record(db, "link.deleted", caller, link.collection_id, link=link_id)
        db.delete(link)
