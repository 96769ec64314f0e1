"""The application of a study: its routes, its pages and its guards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from seminar.collection import site
from seminar.collection.api import admin, forms, operations, workers
from seminar.collection.framing import Framed
from seminar.collection.live.service import StudyService
from seminar.collection.storage.database import open_database
from seminar.collection.study.loading import Study
from seminar.serving.addresses import PREFIX
from seminar.serving.bodies import BodyLimit
from seminar.serving.identity.protection import Protection
from seminar.serving.identity.secret import hash_of
from seminar.serving.problems import add_error_handlers
from seminar.serving.settings import ServiceSettings
from seminar.serving.stopping import note_stop_signals


@dataclass(frozen=True)
class StudyServer:
    """Where a study's state is, and how it is reached.

    `address` is the URL by which browsers reach it through a proxy; `hosts` are further names.
    """

    folder: Path
    admin_token: str
    database: str = ""  # a SQLAlchemy URL; empty: a SQLite file in the folder
    address: str = ""
    hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether several processes may serve the study: its database is PostgreSQL's."""
        return bool(self.database) and not self.database.startswith("sqlite")

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'study.sqlite'}"


def create_app(study: Study, server: StudyServer) -> FastAPI:
    """The application over a study and its state."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = open_database(server.database_url, study)
        service = StudyService(study, database, study.digest(server.admin_token))
        app.state.study = service
        try:
            await service.start()
            with note_stop_signals(service.stopping):
                yield
        finally:
            await service.stop()

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.admin_hash = hash_of(server.admin_token)
    for router in (workers.router, forms.router, admin.router):
        app.include_router(router, prefix=PREFIX)
    app.include_router(operations.router)
    app.include_router(site.router)
    add_error_handlers(app)
    guards = ServiceSettings(folder=server.folder, address=server.address, hosts=server.hosts)
    app.add_middleware(BodyLimit)
    app.add_middleware(Protection, settings=guards)
    if study.table.platform.name == "mturk":
        app.add_middleware(Framed)
    if server.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(server.trusted_proxies))
    return app
