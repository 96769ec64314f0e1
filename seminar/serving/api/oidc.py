"""Routes of logging in at an OpenID Connect provider: there and back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Annotated, Any

from authlib.integrations.starlette_client import StarletteOAuth2App
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool

from seminar.serving.api.session import start_session
from seminar.serving.api.urls import page_url
from seminar.serving.identity.audit import record
from seminar.serving.identity.guard import address_of
from seminar.serving.identity.oidc import (
    ATTEMPT_SECONDS,
    LoginFailed,
    account_at_provider,
    begin_attempt,
    finish_attempt,
)
from seminar.serving.identity.protection import is_https
from seminar.serving.problems import Problem
from seminar.serving.state import State, state_of
from seminar.serving.storage.schema import Account

StateOf = Annotated[State, Depends(state_of)]


class LoginRoute(APIRoute):
    """A route that leads a browser back to the page of the login when it fails."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except Problem as problem:
                if "text/html" not in request.headers.get("accept", ""):
                    raise
                # Only the reason: what the page says must not be anybody's to choose.
                reason = problem.reason if isinstance(problem, LoginFailed) else str(problem.status)
                return RedirectResponse(f"/login?failed={reason}", status_code=303)

        return handled


# No provider, two requests at once, a provider that doesn't answer.
FAILURES: dict[int | str, dict[str, Any]] = {404: {}, 409: {}, 502: {}}
router = APIRouter(tags=["session"], route_class=LoginRoute)


@router.get("/oidc/login", status_code=303, response_class=RedirectResponse, responses=FAILURES)
async def leave_for_provider(request: Request, state: StateOf) -> RedirectResponse:
    """Go to the provider's page to log in."""
    provider = _provider(state)
    state.guard.logins.spend(("oidc", address_of(request)), "logins from this address")
    callback = page_url(request, state.settings, request.app.url_path_for("come_back"))
    url, kept = await begin_attempt(provider, state.settings, callback)
    response = RedirectResponse(url, status_code=303)
    response.set_cookie(
        _cookie(request, state),
        kept,
        max_age=ATTEMPT_SECONDS,
        httponly=True,
        secure=is_https(request.url.scheme, state.settings),
        samesite="lax",  # it must come with the provider's redirect
    )
    return response


@router.get("/oidc/callback", status_code=303, response_class=RedirectResponse, responses=FAILURES)
async def come_back(request: Request, state: StateOf) -> RedirectResponse:
    """Come back from the provider, and be logged in."""
    provider = _provider(state)
    state.guard.logins.spend(("oidc back", address_of(request)), "logins from this address")
    kept = request.cookies.get(_cookie(request, state), "")
    try:
        claims = await finish_attempt(provider, state.settings, kept, request.query_params)
        account = await run_in_threadpool(_account, state, claims)
    except Problem:
        await run_in_threadpool(_note_failure, state, address_of(request))
        raise
    response = RedirectResponse("/", status_code=303)
    await run_in_threadpool(
        start_session, state, request, response, account=account, action="login.oidc"
    )
    response.delete_cookie(
        _cookie(request, state),
        httponly=True,
        secure=is_https(request.url.scheme, state.settings),
        samesite="lax",
    )
    return response


def _account(state: State, claims: dict[str, object]) -> Account:
    try:
        with state.transactions.begin() as db:
            account = account_at_provider(db, state.settings, claims)
    except IntegrityError:
        raise LoginFailed(
            409, "again", "The account is being made by another request: begin again."
        ) from None
    if not account.is_active:
        raise LoginFailed(403, "inactive", "An admin has deactivated this account.")
    return account


def _note_failure(state: State, address: str) -> None:
    with state.transactions.begin() as db:
        record(db, "login.failed", None, address=address, oidc=True)


def _provider(state: State) -> StarletteOAuth2App:
    if state.guard.provider is None:
        raise Problem(404, "This service has no OIDC provider: log in with a name and a password.")
    return state.guard.provider


def _cookie(request: Request, state: State) -> str:
    secure = is_https(request.url.scheme, state.settings)
    return "__Host-seminar-oidc" if secure else "seminar-oidc"
