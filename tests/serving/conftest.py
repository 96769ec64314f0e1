"""A real server on loopback over a temporary folder, with the example collection."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

from seminar.serving.app import create_app
from seminar.serving.collections.records import jobs_of
from seminar.serving.settings import ServiceSettings
from seminar.serving.state import State
from seminar.serving.storage.schema import Collection
from seminar.settings import Settings
from tests.paths import EXAMPLES

ASSISTANT = Settings(encoder="static", followups=True)  # indexes the examples in seconds


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


@contextmanager
def running(settings: ServiceSettings) -> Iterator[Service]:
    """A server in a thread, until the context is left."""
    app = create_app(settings)
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=5)
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
