"""Logging in with a name and a password."""

from __future__ import annotations

from sqlalchemy import select, update

from seminar.serving.identity.audit import record
from seminar.serving.identity.names import checked_name
from seminar.serving.problems import Problem
from seminar.serving.state import State
from seminar.serving.storage.schema import Account


def log_in(state: State, name: str, password: str, address: str) -> Account:
    """The account with a name and a password; limited for each address and each account."""
    name = checked_name(name)
    state.guard.logins.spend(("address", address), "logins from this address")
    state.guard.logins.spend(("name", name), "logins into this account")
    with state.reads() as db:
        account = db.scalar(select(Account).where(Account.name == name))
    stored = None if account is None else account.password
    fits = state.guard.passwords.fits(stored, password)  # outside of transactions: it takes long
    if account is None or not fits or not account.is_active:
        with state.transactions.begin() as db:
            # An unknown name isn't kept: it may be a password typed into the wrong field.
            target = "" if account is None else account.id
            record(db, "login.failed", None, target, address=address)
        raise Problem(401, "Name and password don't fit, or the account is not active.")
    _renew_hash(state, account, password)
    return account


def _renew_hash(state: State, account: Account, password: str) -> None:
    stored = account.password or ""
    if not state.guard.passwords.is_outdated(stored):
        return
    renewed = state.guard.passwords.hash(password)
    with state.transactions.begin() as db:
        same = update(Account).where(Account.id == account.id, Account.password == stored)
        db.execute(same.values(password=renewed))
