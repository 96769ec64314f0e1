"""API tokens: secrets for programs, with scopes and an end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from seminar.serving.identity.callers import ALL_SCOPES, Caller
from seminar.serving.identity.secret import hash_of, new_secret
from seminar.serving.problems import Problem
from seminar.serving.storage.schema import Account, ApiToken, now

PREFIX = "seminar_"  # so that scanners for leaked secrets recognise them
USED_EVERY = timedelta(minutes=1)  # how exactly the last use is kept


def make_token(
    db: Session, caller: Caller, name: str, scopes: Sequence[str], days: int | None
) -> tuple[ApiToken, str]:
    """A token of the caller's account and its secret; it may do no more than its maker."""
    wanted = frozenset(scopes)
    if not wanted or not wanted <= ALL_SCOPES:
        known = ", ".join(sorted(ALL_SCOPES))
        raise Problem(422, f"Scopes of a token are some of {known}, not {sorted(wanted)}.")
    if not wanted <= caller.scopes or ("admin" in wanted and not caller.is_admin):
        raise Problem(403, f"You may not make a token with all of {sorted(wanted)}.")
    secret = PREFIX + new_secret()
    token = ApiToken(
        account_id=caller.account_id,
        name=name,
        secret_hash=hash_of(secret),
        scopes=" ".join(sorted(wanted)),
        expires=None if days is None else now() + timedelta(days=days),
    )
    db.add(token)
    db.flush()
    return token, secret


def find_token(db: Session, secret: str) -> tuple[ApiToken, Caller] | None:
    """The token with a secret and who may use it, unless it has ended."""
    row = db.execute(
        select(ApiToken, Account)
        .join(Account, Account.id == ApiToken.account_id)
        .where(
            ApiToken.secret_hash == hash_of(secret),
            or_(ApiToken.expires.is_(None), ApiToken.expires > now()),
            Account.is_active,
        )
    ).one_or_none()
    if row is None:
        return None
    token, account = row
    scopes = frozenset(token.scopes.split())
    caller = Caller(
        account_id=account.id,
        name=account.name,
        is_admin=account.is_admin and "admin" in scopes,
        scopes=scopes,
    )
    return token, caller


def was_used_lately(token: ApiToken) -> bool:
    return token.used is not None and now() - token.used < USED_EVERY


def note_use(db: Session, token: ApiToken) -> None:
    """Keep when a token was used last."""
    db.execute(update(ApiToken).where(ApiToken.id == token.id).values(used=now()))
