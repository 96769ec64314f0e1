"""Grants of a collection: who owns it, and with whom it is shared."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.rights import Role, may
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import Account, Collection, Grant, Group

OWNER = "owner"  # in place of a grant's id: the account that the collection belongs to


def collection_of(db: Session, caller: Caller, role: Role, collection_id: str) -> Collection:
    """A collection in which the caller has at least a role."""
    collection = db.scalar(
        select(Collection).where(Collection.id == collection_id, may(caller, role))
    )
    if collection is None:
        raise not_found("collection", collection_id)
    return collection


def share(
    db: Session, collection: Collection, account_id: str | None, group_id: str | None, role: Role
) -> Grant:
    """Grant a role to an account or a group, in place of the one that it had."""
    if (account_id is None) == (group_id is None):
        raise Problem(422, "Share with either an 'account_id' or a 'group_id'.")
    if account_id is not None and db.get(Account, account_id) is None:
        raise not_found("account", account_id)
    if group_id is not None and db.get(Group, group_id) is None:
        raise not_found("group", group_id)
    if account_id == collection.owner_id:
        if role == "owner":
            raise Problem(409, "This account owns the collection already.")
        hand_over(db, collection)
    same = Grant.account_id == account_id if account_id else Grant.group_id == group_id
    grant = db.scalar(select(Grant).where(Grant.collection_id == collection.id, same))
    if grant is None:
        grant = Grant(collection_id=collection.id, account_id=account_id, group_id=group_id)
        db.add(grant)
    grant.role = role
    db.flush()
    return grant


def unshare(db: Session, collection: Collection, grant_id: str) -> None:
    """Take a grant back; the last owner stays."""
    if grant_id == OWNER:
        hand_over(db, collection)
        return
    grant = db.scalar(
        select(Grant).where(Grant.id == grant_id, Grant.collection_id == collection.id)
    )
    if grant is None:
        raise not_found("grant", grant_id)
    db.delete(grant)


def hand_over(db: Session, collection: Collection) -> None:
    """Make another account with the role of an owner the one that the collection belongs to.

    Groups don't count: their members may leave.
    """
    successor = db.scalar(
        select(Grant)
        .join(Account, Account.id == Grant.account_id)
        .where(Grant.collection_id == collection.id, Grant.role == "owner", Account.is_active)
        .limit(1)
    )
    if successor is None:
        raise Problem(
            409, "A collection keeps an owner: give another account the role 'owner' first."
        )
    db.execute(
        update(Collection)
        .where(Collection.id == collection.id)
        .values(owner_id=successor.account_id)
    )
    db.delete(successor)
