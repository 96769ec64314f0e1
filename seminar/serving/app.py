"""The application: settings → state → routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from seminar.serving.addresses import PREFIX
from seminar.serving.api import (
    accounts,
    audit,
    collections,
    dialogues,
    files,
    grants,
    groups,
    jobs,
    links,
    oidc,
    openai,
    operations,
    session,
    sources,
    tokens,
    turns,
    uploads,
    web,
)
from seminar.serving.api.described import describe_errors
from seminar.serving.bodies import BodyLimit
from seminar.serving.identity.protection import Protection
from seminar.serving.observing.requests import Observed
from seminar.serving.observing.tracing import tracing
from seminar.serving.problems import add_error_handlers
from seminar.serving.settings import ServiceSettings
from seminar.serving.state import State, open_state
from seminar.serving.stopping import end_with_parent, note_stop_signals
from seminar.version import package_version

# Routes below `PREFIX`, and those with paths of their own.
API: tuple[APIRouter, ...] = (
    session.router,
    accounts.router,
    groups.router,
    tokens.router,
    grants.router,
    links.router,
    audit.router,
    oidc.router,
    collections.router,
    files.router,
    uploads.router,
    jobs.router,
    dialogues.router,
    turns.router,
    sources.router,
)
OTHERS: tuple[APIRouter, ...] = (operations.router, openai.router, web.router)


def create_app(settings: ServiceSettings) -> FastAPI:
    """The service over the state that the settings name."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        end_with_parent()
        with open_state(settings) as state:
            app.state.seminar = state
            with tracing(settings.traces), note_stop_signals(state.stopping):
                yield
                await state.asking.finish()

    app = FastAPI(
        title="Seminar",
        version=package_version(),
        description="Ask files in conversation.",
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
    )
    for router in API:
        app.include_router(router, prefix=PREFIX)
    for router in OTHERS:
        app.include_router(router)
    add_error_handlers(app)
    app.add_exception_handler(404, web.unknown_address)
    describe_errors(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(Protection, settings=settings)
    app.add_middleware(Observed)
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    return app


__all__ = ["State", "create_app"]
