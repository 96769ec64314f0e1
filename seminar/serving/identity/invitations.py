"""Invitations: links that make an account, the first admin's too, or set a new password."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from seminar.serving.identity.audit import record
from seminar.serving.identity.local import local_account
from seminar.serving.identity.names import checked_name
from seminar.serving.identity.secret import hash_of, new_secret
from seminar.serving.identity.sessions import end_sessions
from seminar.serving.problems import Problem
from seminar.serving.storage.schema import Account, Invitation, now

Purpose = Literal["admin", "account", "password"]

DAYS = 7


def invite(db: Session, purpose: Purpose, account_id: str | None = None) -> tuple[Invitation, str]:
    """A new invitation and its secret."""
    secret = new_secret()
    invitation = Invitation(
        purpose=purpose,
        account_id=account_id,
        secret_hash=hash_of(secret),
        expires=now() + timedelta(days=DAYS),
    )
    db.add(invitation)
    db.flush()
    return invitation, secret


def first_admin_path(db: Session) -> str | None:
    """The path of the link that makes the first admin; none once an admin can log in.

    Only hashes of secrets are kept, so that each start makes a new link in place of the last one.
    """
    can_log_in = or_(Account.password.is_not(None), Account.subject.is_not(None))
    if db.scalar(select(exists().where(Account.is_admin, Account.is_active, can_log_in))):
        return None
    db.execute(delete(Invitation).where(Invitation.purpose == "admin"))
    _, secret = invite(db, "admin")
    return invitation_path(secret)


def invitation_path(secret: str) -> str:
    """The page of an invitation, below the address of the service."""
    return f"/invitation/{secret}"


def open_invitation(db: Session, secret: str) -> Invitation:
    """The invitation with a secret; a problem if it was used or has expired."""
    invitation = db.scalar(
        select(Invitation).where(
            Invitation.secret_hash == hash_of(secret),
            Invitation.used.is_(None),
            Invitation.expires > now(),
        )
    )
    if invitation is None:
        raise Problem(404, "This link is unknown, was used or has expired: ask for a new one.")
    return invitation


def accept(db: Session, secret: str, name: str, password_hash: str) -> Account:
    """Use an invitation up: the account that it makes, or whose password it sets."""
    invitation = open_invitation(db, secret)
    taken = update(Invitation).where(Invitation.id == invitation.id, Invitation.used.is_(None))
    if db.scalar(taken.values(used=now()).returning(Invitation.id)) is None:
        raise Problem(404, "This link was used a moment ago: ask for a new one.")
    account = _account_for(db, invitation, name)
    account.password = password_hash
    try:
        db.flush()
    except IntegrityError:
        raise Problem(409, f"There is an account named {account.name!r}: take another.") from None
    end_sessions(db, account.id)
    record(db, f"invitation.accepted.{invitation.purpose}", account.id, account.id)
    return account


def _account_for(db: Session, invitation: Invitation, name: str) -> Account:
    if invitation.purpose == "password":
        return db.get_one(Account, invitation.account_id)
    name = checked_name(name)
    if invitation.purpose == "admin":  # takes over what the single-user mode has made
        account = local_account(db)
        account.name = name
        return account
    account = Account(name=name)
    db.add(account)
    return account
