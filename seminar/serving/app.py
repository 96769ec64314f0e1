"""The application: settings → state → routes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from seminar.serving.problems import add_error_handlers
from seminar.serving.settings import ServiceSettings
from seminar.serving.state import State, open_state
from seminar.version import package_version


def create_app(settings: ServiceSettings) -> FastAPI:
    """The service over the state that the settings name."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with open_state(settings) as state:
            app.state.seminar = state
            yield

    app = FastAPI(
        title="Seminar",
        version=package_version(),
        description="Ask files in conversation.",
        lifespan=lifespan,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    add_error_handlers(app)
    return app


__all__ = ["State", "create_app"]
