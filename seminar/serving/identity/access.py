"""The caller of a request, and what a route needs of them: dependencies of routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from seminar.serving.identity.callers import Caller
from seminar.serving.identity.guard import address_of
from seminar.serving.identity.origins import SAFE_METHODS
from seminar.serving.identity.sessions import (
    CSRF_HEADER,
    caller_of_session,
    has_csrf_token,
    session_of,
)
from seminar.serving.identity.tokens import find_token, note_use, was_used_lately
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of

# For the OpenAPI document: what it finds is read again below, with the account's rights.
TOKEN = HTTPBearer(auto_error=False, scheme_name="token", description="An API token.")


def current_caller(
    request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Depends(TOKEN)]
) -> Caller:
    """Who makes the request; in single-user mode the account named "local"."""
    caller = caller_or_none(request)
    if caller is None:
        raise Problem(
            401,
            "Log in first: POST /api/v1/session, or send an API token: "
            "'Authorization: Bearer TOKEN'.",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return caller


def caller_or_none(request: Request) -> Caller | None:
    """Who makes the request, if anybody is logged in; each such request counts for its limit."""
    state = state_of(request)
    if state.local is not None:
        return state.local
    caller = _token_caller(request, state) or _session_caller(request, state)
    if caller is not None:
        key = caller.account_id or (caller.link_id, address_of(request))
        state.guard.requests.spend(key, "requests")
    return caller


def _token_caller(request: Request, state: State) -> Caller | None:
    authorization = request.headers.get("Authorization")
    if authorization is None:
        return None
    kind, _, secret = authorization.partition(" ")
    found = None
    if kind.lower() == "bearer":
        with state.reads() as db:
            found = find_token(db, secret.strip())
    if found is None:
        raise Problem(
            401,
            "The API token is unknown, revoked or expired: make a new one.",
            headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
        )
    token, caller = found
    if not was_used_lately(token):
        with state.transactions.begin() as db:
            note_use(db, token)
    return caller


def _session_caller(request: Request, state: State) -> Caller | None:
    with state.reads() as db:
        session = session_of(db, request, state.settings)
        caller = None if session is None else caller_of_session(db, session)
    if session is None or caller is None:
        return None
    if request.method not in SAFE_METHODS and not has_csrf_token(request, session):
        raise Problem(
            403, f"Send the token that GET /api/v1/session names 'csrf' as {CSRF_HEADER}."
        )
    return caller


def administrator(caller: Annotated[Caller, Depends(current_caller)]) -> Caller:
    """An admin, with a session or a token that may act as one."""
    if not caller.is_admin or "admin" not in caller.scopes:
        raise Problem(403, "Only an admin may do this.")
    return caller


def needs(scope: str) -> Callable[[Caller], Caller]:
    """The dependency of a route that only callers with a scope may use."""

    def caller_with_scope(caller: Annotated[Caller, Depends(current_caller)]) -> Caller:
        if scope not in caller.scopes:
            who = "A visitor may" if caller.link_id else f"This token lacks {scope!r} and may"
            raise Problem(403, f"{who} only: {', '.join(sorted(caller.scopes))}.")
        return caller

    return caller_with_scope


Reading = Annotated[Caller, Depends(needs("read"))]
Asking = Annotated[Caller, Depends(needs("ask"))]
Writing = Annotated[Caller, Depends(needs("write"))]
Owning = Annotated[Caller, Depends(needs("admin"))]  # what an account has: tokens, its password
Administering = Annotated[Caller, Depends(administrator)]
