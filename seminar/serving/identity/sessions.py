"""Login sessions of browsers: an account's, or a visitor's with a public link."""

from __future__ import annotations

import hmac
from datetime import timedelta

from fastapi import Request, Response
from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.protection import is_https
from seminar.serving.identity.secret import hash_of, new_secret
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.schema import (
    Account,
    Invitation,
    LoginSession,
    PublicLink,
    now,
)

CSRF_HEADER = "X-CSRF-Token"
VISITOR_SCOPES = frozenset({"read", "ask"})


def cookie_name(request: Request, settings: ServiceSettings) -> str:
    """The name of the cookie; with HTTPS one that no other host or path can set."""
    return "__Host-seminar" if is_https(request.url.scheme, settings) else "seminar"


def begin_session(
    db: Session,
    settings: ServiceSettings,
    *,
    account_id: str | None = None,
    link: PublicLink | None = None,
) -> tuple[LoginSession, str]:
    """A new session and the secret of its cookie; sessions that have ended are removed."""
    db.execute(delete(LoginSession).where(LoginSession.expires <= now()))
    db.execute(delete(Invitation).where(Invitation.expires <= now()))
    secret = new_secret()
    expires = now() + timedelta(days=settings.session_days)
    if link is not None and link.expires is not None:
        expires = min(expires, link.expires)
    begun = LoginSession(
        account_id=account_id,
        link_id=None if link is None else link.id,
        secret_hash=hash_of(secret),
        csrf=new_secret(),
        expires=expires,
    )
    db.add(begun)
    db.flush()
    return begun, secret


def set_cookie(
    request: Request,
    response: Response,
    settings: ServiceSettings,
    begun: LoginSession,
    secret: str,
) -> None:
    """Send the secret of a session to the browser."""
    response.set_cookie(
        cookie_name(request, settings),
        secret,
        expires=begun.expires,
        httponly=True,
        secure=is_https(request.url.scheme, settings),
        samesite="lax",
    )


def clear_cookie(request: Request, response: Response, settings: ServiceSettings) -> None:
    response.delete_cookie(
        cookie_name(request, settings),
        httponly=True,
        secure=is_https(request.url.scheme, settings),
        samesite="lax",
    )


def session_of(db: Session, request: Request, settings: ServiceSettings) -> LoginSession | None:
    """The session of a request's cookie, unless it has ended."""
    secret = request.cookies.get(cookie_name(request, settings))
    if not secret:
        return None
    return db.scalar(
        select(LoginSession).where(
            LoginSession.secret_hash == hash_of(secret), LoginSession.expires > now()
        )
    )


def caller_of_session(db: Session, session: LoginSession) -> Caller | None:
    """Whose session it is; nobody's if the account was deactivated or the link has ended."""
    if session.link_id is not None:
        link = db.scalar(select(PublicLink).where(link_is_open(), PublicLink.id == session.link_id))
        if link is None:
            return None
        return Caller(link_id=link.id, visitor_id=session.id, scopes=VISITOR_SCOPES)
    account = db.scalar(select(Account).where(Account.id == session.account_id, Account.is_active))
    if account is None:
        return None
    return Caller(account_id=account.id, name=account.name, is_admin=account.is_admin)


def link_is_open() -> ColumnElement[bool]:
    """The condition on `PublicLink` that it has not expired."""
    return or_(PublicLink.expires.is_(None), PublicLink.expires > now())


def has_csrf_token(request: Request, session: LoginSession) -> bool:
    """Whether a request carries the token that only the service's own pages can read."""
    sent = request.headers.get(CSRF_HEADER, "")
    return hmac.compare_digest(session.csrf.encode(), sent.encode())


def end_sessions(db: Session, account_id: str, *, but: str | None = None) -> None:
    """Log an account out everywhere, perhaps but for one session."""
    theirs = LoginSession.account_id == account_id
    db.execute(
        delete(LoginSession).where(theirs if but is None else and_(theirs, LoginSession.id != but))
    )
