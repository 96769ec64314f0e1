"""Changes of accounts: activity, admin rights, deletion with what becomes of collections."""

from __future__ import annotations

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from seminar.serving.identity.sessions import end_sessions
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import Account, Collection, Grant


def account_named(db: Session, account_id: str) -> Account:
    """The account with an id; a problem if there is none."""
    account = db.get(Account, account_id)
    if account is None:
        raise not_found("account", account_id)
    return account


def change_account(
    db: Session, account: Account, *, is_active: bool | None, is_admin: bool | None
) -> None:
    """Set what is given; a deactivated account is logged out at once."""
    if account.is_admin and (is_active is False or is_admin is False):
        _check_not_last_admin(db, account)
    if is_admin is not None:
        account.is_admin = is_admin
    if is_active is not None:
        account.is_active = is_active
        if not is_active:
            end_sessions(db, account.id)


def delete_account(db: Session, account: Account, heir_id: str | None) -> int:
    """Delete an account with its dialogues; its collections pass to the heir. How many did.

    Without an heir an account that owns collections is not deleted.
    """
    if account.is_admin:
        _check_not_last_admin(db, account)
    owned = Collection.owner_id == account.id
    present = Collection.deleted.is_(None)
    count = db.scalar(select(func.count()).select_from(Collection).where(owned, present)) or 0
    if count and heir_id is None:
        raise Problem(
            409,
            f"{account.name!r} owns {count} collection(s): name the account that gets them "
            "with '?heir=ID', or delete them first.",
        )
    heir = account_named(db, heir_id) if heir_id else _any_admin_but(db, account)
    if heir.id == account.id:
        raise Problem(422, "The heir can't be the account that is deleted.")
    give = db.scalars(select(Collection.id).where(owned)).all()
    # Collections that are being deleted are given away too: their files are yet to be removed.
    db.execute(update(Collection).where(owned).values(owner_id=heir.id))
    db.execute(delete(Grant).where(Grant.account_id == heir.id, Grant.collection_id.in_(give)))
    db.execute(delete(Account).where(Account.id == account.id))
    return count


def _any_admin_but(db: Session, account: Account) -> Account:
    return db.scalars(
        select(Account)
        .where(Account.is_admin, Account.id != account.id)
        .order_by(Account.created)
        .limit(1)
    ).one()


def _check_not_last_admin(db: Session, account: Account) -> None:
    admins = select(Account.id).where(Account.is_admin, Account.is_active)
    locked = db.scalars(admins.with_for_update()).all()  # two must not demote each other at once
    if not set(locked) - {account.id}:
        raise Problem(409, f"{account.name!r} is the only admin: make another one first.")
