"""Rights as conditions of the query itself: what a caller may not see is never read.

Every statement about collections, dialogues and what belongs to them takes its condition from here.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import ColumnElement, and_, false, or_, select

from seminar.serving.identity.callers import Caller
from seminar.serving.storage.schema import (
    Collection,
    Grant,
    Membership,
    PublicLink,
    StoredDialogue,
    now,
)

Role = Literal["reader", "writer", "owner"]

ROLES: tuple[Role, ...] = ("reader", "writer", "owner")  # each includes those before it


def may(caller: Caller, role: Role) -> ColumnElement[bool]:
    """The condition on `Collection` that a caller has at least a role in it."""
    present = Collection.deleted.is_(None)
    if caller.link_id is not None:
        shared = select(PublicLink.collection_id).where(
            PublicLink.id == caller.link_id,
            or_(PublicLink.expires.is_(None), PublicLink.expires > now()),
        )
        return and_(present, Collection.id.in_(shared)) if role == "reader" else false()
    groups = select(Membership.group_id).where(Membership.account_id == caller.account_id)
    granted = select(Grant.collection_id).where(
        Grant.role.in_(ROLES[ROLES.index(role) :]),
        or_(Grant.account_id == caller.account_id, Grant.group_id.in_(groups)),
    )
    return and_(present, or_(Collection.owner_id == caller.account_id, Collection.id.in_(granted)))


def own_dialogues(caller: Caller) -> ColumnElement[bool]:
    """The condition on `StoredDialogue` that it is the caller's, over a collection still theirs."""
    if caller.link_id is not None:
        whose = and_(
            StoredDialogue.link_id == caller.link_id,
            StoredDialogue.visitor_id == caller.visitor_id,
        )
    else:
        whose = StoredDialogue.account_id == caller.account_id
    readable = select(Collection.id).where(may(caller, "reader"))
    return and_(whose, StoredDialogue.collection_id.in_(readable))
