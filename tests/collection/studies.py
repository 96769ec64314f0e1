"""A study on disk and a real server of it, with clients that speak its sockets."""

import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from seminar.collection.app import StudyServer, create_app
from seminar.collection.corpus.storing import write_corpus
from seminar.collection.study.loading import load_study
from tests.collection.small_corpus import INDEX, TIDE

ADMIN = "the-admin-token"
LIVE = "/api/v1/live"

SHORT = """
[times]
grace = 2.0
idle = 30.0
"""


def write_study(folder: Path, protocol: str, more: str = "", *, top: str = "") -> Path:
    """STUDY.toml with its corpus, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    options = {"pragmaticqa": "[options]\nincentives = false\n"}
    corpus = INDEX.corpus
    if protocol == "quac":  # one section alone, so that tests know the answers
        corpus = replace(corpus, pages=(replace(TIDE, sections=TIDE.sections[:1]),))
    write_corpus(folder / "corpus", corpus)
    text = f"""
name = "tides"
title = "Talking about tides"
protocol = "{protocol}"
corpus = "corpus"
{top}
{"" if "[texts]" in more else "[texts]" + chr(10) + 'consent = "We keep what you write."'}
{"" if "[pay]" in more else "[pay]" + chr(10) + 'turn = "0.10"' + chr(10) + 'annotation = "0.05"'}
{"" if "[quotas]" in more else "[quotas]" + chr(10) + "per_subject = 0"}
{"" if "[options]" in more else options.get(protocol, "")}
{more}
"""
    file = folder / "STUDY.toml"
    file.write_text(text, encoding="utf-8")
    return file


@dataclass
class Socket:
    """A socket of a worker, which keeps all that it received."""

    connection: ClientConnection
    stack: ExitStack
    received: list[dict[str, Any]] = field(default_factory=list)
    view: dict[str, Any] = field(default_factory=dict)

    def send(self, **message: object) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, seconds: float = 20) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=seconds))
        self.received.append(message)
        if message["type"] == "view":
            self.view = message["view"]
        return message

    def until(self, kind: str, **fields: object) -> dict[str, Any]:
        """The next message of a type with these fields."""
        while True:
            message = self.receive()
            if message["type"] == kind and fields.items() <= message.items():
                return message

    def act(self, kind: str, identity: str = "", **fields: object) -> dict[str, Any]:
        """Send an action; the answer to it, `accepted` or `refused`."""
        identity = identity or uuid.uuid4().hex
        self.send(
            type="act",
            dialog=self.view["frame"]["dialog"],
            id=identity,
            action={"kind": kind, **fields},
        )
        while True:
            message = self.receive()
            if message["type"] in ("accepted", "refused") and message["id"] == identity:
                return message

    def until_turn(self) -> dict[str, Any]:
        """The next view in which it is this worker's turn."""
        while not (self.view and self.view["frame"]["yours"]):
            self.receive()
        return self.view

    def until_end(self) -> dict[str, Any]:
        while not (self.view and self.view["frame"]["ended"]):
            self.receive()
        return self.view["frame"]["ended"]

    def close(self) -> None:
        self.stack.close()

    def drain(self, seconds: float = 0.3) -> None:
        """Receive whatever comes within a time."""
        try:
            while True:
                self.receive(seconds)
        except (TimeoutError, ConnectionClosed):
            return


@dataclass
class Person:
    """A worker with a token."""

    study: "Running"
    token: str
    id: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **parameters: str) -> httpx.Response:
        return self.study.client.get(f"/api/v1/{path}", params=parameters, headers=self.headers)

    def post(self, path: str, body: object) -> httpx.Response:
        return self.study.client.post(f"/api/v1/{path}", json=body, headers=self.headers)

    def standing(self) -> dict[str, Any]:
        found: dict[str, Any] = self.get("standing").json()
        return found

    def socket(self) -> Socket:
        stack = ExitStack()
        address = self.study.url.replace("http", "ws") + LIVE
        connection = stack.enter_context(connect(address, max_size=2**22))
        socket = Socket(connection, stack)
        socket.send(type="hello", token=self.token)
        assert socket.receive()["type"] == "welcome"
        return socket

    def begin(self, task: str, role: str = "") -> Socket:
        """Begin a task that is done alone."""
        socket = self.socket()
        answer = self.post("tasks", {"task": task, "role": role})
        assert answer.status_code == 200, answer.text
        socket.until("view")
        return socket


@dataclass
class Running:
    """A served study."""

    url: str
    client: httpx.Client
    app: Any

    def join(self, *, consent: bool = True, **parameters: str) -> Person:
        answer = self.client.post("/api/v1/join", json={"parameters": parameters})
        assert answer.status_code == 200, answer.text
        joined = answer.json()
        person = Person(self, joined["token"], joined["standing"]["worker"])
        if consent:
            version = self.client.get("/api/v1/study").json()["consent_version"]
            agreed = person.post("consent", {"version": version, "agreed": True})
            assert agreed.status_code == 200, agreed.text
        return person

    def pair(self, first: str, second: str) -> tuple[Socket, Socket]:
        """Two new workers in a dialog, in these roles."""
        sockets = []
        for role in (first, second):
            socket = self.join().socket()
            socket.send(type="enter", role=role)
            sockets.append(socket)
        for socket in sockets:
            socket.until("view")
        return sockets[0], sockets[1]

    def admin(self, method: str, path: str, body: object = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {ADMIN}"}
        return self.client.request(method, f"/api/v1/admin/{path}", json=body, headers=headers)


@contextmanager
def serving(file: Path, *, database: str = "") -> Iterator[Running]:
    """A server of a study in a thread, until the context is left."""
    server = StudyServer(file.parent / "state", ADMIN, database=database)
    server.folder.mkdir(exist_ok=True)
    app = create_app(load_study(file), server)
    config = uvicorn.Config(
        app, port=0, log_config=None, timeout_graceful_shutdown=2, ws="websockets-sansio"
    )
    runner = uvicorn.Server(config)
    thread = threading.Thread(target=runner.run, daemon=True)
    thread.start()
    try:
        while not runner.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = runner.servers[0].sockets[0].getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, timeout=30) as client:
            yield Running(url, client, app)
    finally:
        runner.should_exit = True
        thread.join()
