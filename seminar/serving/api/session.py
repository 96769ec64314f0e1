"""Routes of a browser's session: who is logged in, log in, log out, change one's password."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import select, update

from seminar.serving.identity.access import Owning, caller_or_none
from seminar.serving.identity.audit import record
from seminar.serving.identity.callers import Caller
from seminar.serving.identity.guard import address_of
from seminar.serving.identity.logins import log_in
from seminar.serving.identity.rights import may
from seminar.serving.identity.secret import hash_of
from seminar.serving.identity.sessions import (
    begin_session,
    caller_of_session,
    clear_cookie,
    end_sessions,
    link_is_open,
    session_of,
    set_cookie,
)
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account, Collection, LoginSession, PublicLink

router = APIRouter(tags=["session"])
StateOf = Annotated[State, Depends(state_of)]


class OwnAccount(BaseModel):
    """The account that is logged in."""

    id: str
    name: str
    is_admin: bool


class SessionRecord(BaseModel):
    """Who is logged in, and what the pages need to know of the service."""

    account: OwnAccount | None
    multi_user: bool
    csrf: str
    oidc: bool
    collection: str | None = None


class Login(BaseModel):
    """A name and a password, or the secret of a public link."""

    name: str = Field("", max_length=1000, examples=["alice"])
    password: str = Field("", max_length=1000)
    link: str | None = Field(None, max_length=200)


class NewPassword(BaseModel):
    old: str = Field(max_length=1000)
    new: str = Field(max_length=1000)


def session_record(
    state: State, caller: Caller | None, session: LoginSession | None, collection: str | None = None
) -> SessionRecord:
    """What `GET /session` says of a caller."""
    account = None
    if caller is not None and caller.account_id is not None:
        account = OwnAccount(id=caller.account_id, name=caller.name, is_admin=caller.is_admin)
    return SessionRecord(
        account=account,
        multi_user=state.settings.multi_user,
        csrf="" if session is None else session.csrf,
        oidc=bool(state.settings.oidc_issuer),
        collection=collection,
    )


def start_session(
    state: State,
    request: Request,
    response: Response,
    *,
    account: Account | None = None,
    link: PublicLink | None = None,
    action: str = "login",
) -> SessionRecord:
    """Begin a session in place of the browser's last one, and send its cookie."""
    settings = state.settings
    with state.transactions.begin() as db:
        earlier = session_of(db, request, settings)
        if earlier is not None and earlier.account_id is not None:
            db.delete(earlier)
        account_id = None if account is None else account.id
        begun, secret = begin_session(db, settings, account_id=account_id, link=link)
        caller = caller_of_session(db, begun)
        if caller is not None and account is not None:
            record(db, action, caller, account.id, address=address_of(request))
    set_cookie(request, response, settings, begun, secret)
    return session_record(state, caller, begun, None if link is None else link.collection_id)


def check_multi_user(state: State) -> None:
    """Raise a problem in single-user mode, where nobody logs in."""
    if not state.settings.multi_user:
        raise Problem(
            409, "This service has a single user: start it with --multi-user for accounts."
        )


@router.get("/session")
def show_session(request: Request, state: StateOf) -> SessionRecord:
    """Who is logged in."""
    caller = caller_or_none(request)
    if caller is None or state.local is not None:
        return session_record(state, caller, None)
    with state.reads() as db:
        session = session_of(db, request, state.settings)
        chosen = select(PublicLink.collection_id).where(PublicLink.id == caller.link_id)
        collection = db.scalar(chosen) if caller.link_id else None
    return session_record(state, caller, session, collection)


@router.post("/session")
def begin(login: Login, request: Request, response: Response, state: StateOf) -> SessionRecord:
    """Log in with a name and a password, or open a public link."""
    check_multi_user(state)
    address = address_of(request)
    if login.link is not None:
        state.guard.logins.spend(("link", address), "public links opened from this address")
        return _open_link(state, request, response, login.link)
    account = log_in(state, login.name, login.password, address)
    return start_session(state, request, response, account=account)


def _open_link(state: State, request: Request, response: Response, secret: str) -> SessionRecord:
    with state.reads() as db:
        link = db.scalar(
            select(PublicLink).where(PublicLink.secret_hash == hash_of(secret), link_is_open())
        )
        if link is None:
            raise Problem(404, "This link is unknown, was withdrawn or has expired.")
        session = session_of(db, request, state.settings)
        caller = None if session is None else caller_of_session(db, session)
        # Who may read the collection anyway, or has opened the link before, stays who they are.
        if caller is not None:
            readable = select(Collection.id).where(may(caller, "reader"))
            if db.scalar(readable.where(Collection.id == link.collection_id)):
                return session_record(state, caller, session, link.collection_id)
    return start_session(state, request, response, link=link)


@router.delete("/session", status_code=204)
def end(request: Request, response: Response, state: StateOf) -> None:
    """Log out."""
    caller = caller_or_none(request)
    with state.transactions.begin() as db:
        session = session_of(db, request, state.settings)
        if session is not None and session.account_id is not None:
            db.delete(session)
            record(db, "logout", caller, session.account_id)
    clear_cookie(request, response, state.settings)


@router.put("/session/password", status_code=204)
def change_password(new: NewPassword, request: Request, caller: Owning, state: StateOf) -> None:
    """Change one's password; all other sessions of the account end."""
    check_multi_user(state)
    state.guard.logins.spend(("password", caller.account_id), "password changes")
    with state.reads() as db:
        stored = db.get_one(Account, caller.account_id).password
        session = session_of(db, request, state.settings)
    if stored is None:
        raise Problem(409, "This account logs in at its provider and has no password here.")
    if not state.guard.passwords.fits(stored, new.old):
        raise Problem(403, "The old password is not right.")
    renewed = state.guard.passwords.hash(new.new)
    with state.transactions.begin() as db:
        db.execute(update(Account).where(Account.id == caller.account_id).values(password=renewed))
        own = session is not None and session.account_id == caller.account_id
        end_sessions(db, caller.account_id or "", but=session.id if own and session else None)
        record(db, "password.changed", caller, caller.account_id or "")
