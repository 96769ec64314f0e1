"""A real server on loopback over a temporary folder, with the example collection."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn
from sqlalchemy import text

from seminar.serving.app import create_app
from seminar.serving.collections.records import jobs_of
from seminar.serving.settings import ServiceSettings
from seminar.serving.state import State
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.schema import Collection
from seminar.settings import Settings
from tests.paths import EXAMPLES
from tests.serving.postgres import MISSING, is_installed, postgres_server

# Indexes the examples in seconds, and readily gives alternatives.
ASSISTANT = Settings(encoder="static", followups=True, diversity=0.5)


@dataclass(frozen=True)
class Service:
    """A running server: its address, a client, and its state."""

    url: str
    client: httpx.Client
    state: State

    @property
    def collection(self) -> str:
        """The id of the example collection, asked in place and indexed."""
        with self.state.reads() as session:
            return session.query(Collection.id).filter(Collection.path.is_not(None)).scalar()

    def wait_for_index(self, collection: str) -> None:
        """Wait until the newest job of a collection has ended."""
        with self.state.reads() as session:
            [job] = jobs_of(session, [collection])[0].values()
        follow = self.client.stream("GET", f"/api/v1/jobs/{job.id}/events")
        with follow as response:
            [last] = list(response.iter_lines())[-3:-2]
        assert last == "event: done"


def wait_until(happened: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something that another process or thread does."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@contextmanager
def running(settings: ServiceSettings) -> Iterator[Service]:
    """A server in a thread, until the context is left."""
    app = create_app(settings)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            port=0,
            log_config=None,
            timeout_graceful_shutdown=5,
            proxy_headers=False,  # the application's settings say which proxies count
        )
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, timeout=60) as client:
            yield Service(url, client, app.state.seminar)
    finally:
        if hasattr(app.state, "seminar"):
            app.state.seminar.stopping.set()
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The server that all tests share, single-user."""
    folder: Path = tmp_path_factory.mktemp("service")
    settings = ServiceSettings(folder=folder, paths=(EXAMPLES / "collection",), assistant=ASSISTANT)
    with running(settings) as started:
        started.wait_for_index(started.collection)
        yield started


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server."""
    if not is_installed():
        pytest.skip(MISSING)
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind."""
    return new_database(request, tmp_path, request.param)


def new_database(request: pytest.FixtureRequest, folder: Path, kind: str) -> str:
    """The URL of a new database of a kind."""
    name = f"test_{uuid.uuid4().hex}"
    if kind == "sqlite":
        return f"sqlite:///{folder}/{name}.sqlite"
    server: str = request.getfixturevalue("postgres")
    engine = open_engine(server).execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.replace("/postgres?", f"/{name}?")
