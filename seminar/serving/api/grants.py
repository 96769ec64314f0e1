"""Routes of a collection's grants: with whom it is shared."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from seminar.serving.api.accounts import Named
from seminar.serving.api.pages import Page
from seminar.serving.identity.access import Reading, Writing
from seminar.serving.identity.audit import record
from seminar.serving.identity.rights import Role
from seminar.serving.identity.sharing import OWNER, collection_of, share, unshare
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account, Collection, Grant, Group

MOST = 199  # of each collection, besides its owner: a page

router = APIRouter(tags=["sharing"])
StateOf = Annotated[State, Depends(state_of)]


class NewGrant(BaseModel):
    account_id: str | None = Field(None, max_length=200)
    group_id: str | None = Field(None, max_length=200)
    role: Role


class GrantRecord(BaseModel):
    """Who may read, write or own; the id "owner" is the account that the collection belongs to."""

    id: str
    account: Named | None
    group: Named | None
    role: Role


@router.get("/collections/{collection_id}/grants")
def list_grants(collection_id: str, caller: Reading, state: StateOf) -> Page[GrantRecord]:
    """With whom a collection is shared; for its owners."""
    with state.reads() as db:
        collection = collection_of(db, caller, "owner", collection_id)
        rows = (
            select(Grant, Account, Group)
            .outerjoin(Account, Account.id == Grant.account_id)
            .outerjoin(Group, Group.id == Grant.group_id)
            .where(Grant.collection_id == collection.id)
            .order_by(Account.name, Group.name)
        )
        grants = [grant_record(*row) for row in db.execute(rows)]
        return Page(items=[_owner_record(db, collection), *grants])


@router.put("/collections/{collection_id}/grants")
def put_grant(collection_id: str, new: NewGrant, caller: Writing, state: StateOf) -> GrantRecord:
    """Share a collection with an account or a group, or change the role of either."""
    with state.transactions.begin() as db:
        collection = collection_of(db, caller, "owner", collection_id)
        grant = share(db, collection, new.account_id, new.group_id, new.role)
        count = select(func.count()).where(Grant.collection_id == collection.id)
        if (db.scalar(count) or 0) > MOST:
            raise Problem(409, f"A collection has at most {MOST} grants: share it with a group.")
        record(db, "collection.shared", caller, collection.id, **new.model_dump(exclude_none=True))
        account = db.get(Account, grant.account_id) if grant.account_id else None
        group = db.get(Group, grant.group_id) if grant.group_id else None
        return grant_record(grant, account, group)


@router.delete("/collections/{collection_id}/grants/{grant}", status_code=204)
def delete_grant(collection_id: str, grant: str, caller: Writing, state: StateOf) -> None:
    """Take a grant back; "owner" hands the collection over to another account that owns it."""
    with state.transactions.begin() as db:
        collection = collection_of(db, caller, "owner", collection_id)
        unshare(db, collection, grant)
        record(db, "collection.unshared", caller, collection.id, grant=grant)


def grant_record(grant: Grant, account: Account | None, group: Group | None) -> GrantRecord:
    return GrantRecord.model_validate(
        {
            "id": grant.id,
            "account": account and {"id": account.id, "name": account.name},
            "group": group and {"id": group.id, "name": group.name},
            "role": grant.role,
        }
    )


def _owner_record(db: Session, collection: Collection) -> GrantRecord:
    owner = db.get_one(Account, collection.owner_id)
    return GrantRecord(
        id=OWNER, account=Named(id=owner.id, name=owner.name), group=None, role="owner"
    )
