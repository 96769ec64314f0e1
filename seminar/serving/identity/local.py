"""The account of the single-user mode, which also owns the folders that the service asks."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from seminar.serving.identity.callers import Caller
from seminar.serving.storage.schema import Account

LOCAL = "local"


def local_account(session: Session) -> Account:
    """The oldest admin: at first an account named "local", which the first admin takes over."""
    oldest = select(Account).where(Account.is_admin).order_by(Account.created).limit(1)
    account = session.scalar(oldest)
    if account is None:
        account = Account(name=LOCAL, is_admin=True)
        session.add(account)
        session.flush()
    return account


def caller_of(account: Account) -> Caller:
    """The caller that an account is, with every scope."""
    return Caller(account_id=account.id, name=account.name, is_admin=account.is_admin)
