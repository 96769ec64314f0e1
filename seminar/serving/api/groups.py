"""Routes of groups: accounts with which a collection can be shared together."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from seminar.serving.api.accounts import Named
from seminar.serving.api.pages import After, Limit, Page
from seminar.serving.identity.access import Administering, Reading
from seminar.serving.identity.audit import record
from seminar.serving.identity.names import checked_name
from seminar.serving.problems import Problem, not_found
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account, Group, Membership

MOST_MEMBERS = 1000

router = APIRouter(tags=["groups"])
StateOf = Annotated[State, Depends(state_of)]


class NewGroup(BaseModel):
    name: str = Field(max_length=1000, examples=["Editors"])
    members: list[str] = Field([], max_length=MOST_MEMBERS)


class GroupChange(BaseModel):
    name: str | None = Field(None, max_length=1000)
    members: list[str] | None = Field(None, max_length=MOST_MEMBERS)


class GroupRecord(Named):
    """A group; only admins see its members."""

    members: list[Named] | None = None


@router.get("/groups")
def list_groups(
    caller: Reading, state: StateOf, limit: Limit = 50, after: After = None
) -> Page[GroupRecord]:
    """The groups by name."""
    if caller.account_id is None:
        raise Problem(403, "Visitors may not list groups.")
    rows = select(Group).order_by(Group.name).limit(limit + 1)
    if after is not None:
        rows = rows.where(Group.name > after)
    with state.reads() as db:
        found = db.scalars(rows).all()
        shown = found[:limit]
        items = [_group_record(db, group, with_members=caller.is_admin) for group in shown]
    return Page(items=items, next=shown[-1].name if len(found) > limit else None)


@router.post("/groups", status_code=201)
def create_group(new: NewGroup, caller: Administering, state: StateOf) -> GroupRecord:
    """Make a group."""
    with state.transactions.begin() as db:
        group = Group(name=checked_name(new.name))
        db.add(group)
        _flush_name(db, group)
        _set_members(db, group, new.members)
        record(db, "group.created", caller, group.id, name=group.name, members=len(new.members))
        return _group_record(db, group, with_members=True)


@router.patch("/groups/{group_id}")
def change_group(
    group_id: str, change: GroupChange, caller: Administering, state: StateOf
) -> GroupRecord:
    """Rename a group, or set its members."""
    with state.transactions.begin() as db:
        group = _group_with(db, group_id)
        if change.name is not None:
            group.name = checked_name(change.name)
            _flush_name(db, group)
        if change.members is not None:
            _set_members(db, group, change.members)
        record(db, "group.changed", caller, group_id, **change.model_dump(exclude_none=True))
        return _group_record(db, group, with_members=True)


@router.delete("/groups/{group_id}", status_code=204)
def delete_group(group_id: str, caller: Administering, state: StateOf) -> None:
    """Delete a group; what was shared with it no longer is."""
    with state.transactions.begin() as db:
        group = _group_with(db, group_id)
        record(db, "group.deleted", caller, group_id, name=group.name)
        db.delete(group)


def _group_with(db: Session, group_id: str) -> Group:
    group = db.get(Group, group_id)
    if group is None:
        raise not_found("group", group_id)
    return group


def _flush_name(db: Session, group: Group) -> None:
    name = group.name
    try:
        db.flush()
    except IntegrityError:
        raise Problem(409, f"There is a group named {name!r}: take another name.") from None


def _set_members(db: Session, group: Group, members: list[str]) -> None:
    wanted = set(members)
    known = set(db.scalars(select(Account.id).where(Account.id.in_(wanted))))
    if unknown := sorted(wanted - known):
        raise not_found("account", unknown[0])
    db.execute(delete(Membership).where(Membership.group_id == group.id))
    db.add_all(Membership(group_id=group.id, account_id=one) for one in sorted(wanted))
    db.flush()


def _group_record(db: Session, group: Group, *, with_members: bool) -> GroupRecord:
    members = None
    if with_members:
        rows = db.execute(
            select(Account.id, Account.name)
            .join(Membership, Membership.account_id == Account.id)
            .where(Membership.group_id == group.id)
            .order_by(Account.name)
        )
        members = [Named(id=row.id, name=row.name) for row in rows]
    return GroupRecord(id=group.id, name=group.name, members=members)
