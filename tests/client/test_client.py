"""The client talks to a real server: upload, index with progress, ask with stages, read spans."""

import asyncio
import itertools
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seminar.client import AsyncClient, Client, ServiceError, UnreachableError
from seminar.client.requests import EventReader, local_files, wait_of
from seminar.errors import ConfigurationError, SeminarError
from seminar.serving.settings import ServiceSettings
from seminar.settings import Settings
from tests.serving.conftest import Service, running
from tests.serving.identity.people import people_of, weak

QUESTION = "When was the choir founded?"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("client-service")
    settings = ServiceSettings(folder=folder, assistant=Settings(encoder="static", followups=True))
    with running(settings) as started:
        yield started


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "music").mkdir()
    (folder / ".hidden").write_text("secret")
    (folder / "music" / "choir.md").write_text(
        "# Choir\n\nThe choir was founded in 1921 by Maud Brennan. It sings on Sundays.\n"
    )
    return folder


@pytest.fixture(scope="module")
def client(service: Service):
    with Client(service.url) as client:
        yield client


@pytest.fixture(scope="module")
def collection(client: Client, notes: Path) -> str:
    """A collection that the client made, uploaded and indexed."""
    made = client.create("notes")
    assert client.upload(made.id, notes) == ["music/choir.md"]
    *_, last = client.index(made.id)
    assert (last.state, last.error) == ("done", None)
    return made.id


def test_upload_is_indexed(client: Client, collection: str):
    [shown] = [one for one in client.collections() if one.id == collection]
    assert (shown.name, shown.role, shown.files) == ("notes", "owner", 1)
    [hit, *_] = client.passages(collection, "choir")
    assert hit.source == "music/choir.md"


def test_answer_has_spans_in_their_source(client: Client, collection: str):
    dialogue = client.begin(collection)
    turn = client.ask(dialogue.id, QUESTION)
    assert (turn.number, turn.question) == (1, QUESTION)
    [span] = turn.reply.literal
    assert "1921" in span.text
    source = client.source(collection, span)
    [block] = [one for one in source.blocks if one["start"] <= span.start < one["end"]]
    at = span.start - block["start"]
    assert block["text"][at : at + len(span.text)] == span.text


def test_stages_come_one_after_the_other(client: Client, collection: str):
    dialogue = client.begin(collection)
    stages = list(client.stages(dialogue.id, QUESTION))
    assert [stage.name for stage in stages] == ["searched", "answer", "followups", "done"]
    assert stages[-1].turn == client.dialogue(dialogue.id).turns[0]


def test_dialogues_are_found_forked_judged_and_deleted(client: Client, collection: str):
    dialogue = client.begin(collection)
    turn = client.ask(dialogue.id, "Who founded the choir?")
    assert dialogue.id in [one.id for one in client.dialogues("who founded the")]
    client.judge(dialogue.id, 1, right=False, span=turn.reply.nearest, comment="no")
    [judged] = client.dialogue(dialogue.id).turns
    assert judged.feedback is not None
    assert judged.feedback["right"] is False
    fork = client.fork(dialogue.id, 1)
    assert fork.turns == ()
    client.delete_dialogue(fork.id)
    with pytest.raises(ServiceError, match="There is no dialogue") as refused:
        client.dialogue(fork.id)
    assert refused.value.status == 404


def test_event_loop_does_the_same(service: Service, collection: str, notes: Path):
    async def use() -> list[str]:
        async with AsyncClient(service.url) as client:
            made = await client.create("again")
            await client.upload(made.id, notes / "music" / "choir.md")
            states = [job.state async for job in client.index(made.id)]
            assert states[-1] == "done"
            dialogue = await client.begin(made.id)
            names = [stage.name async for stage in client.stages(dialogue.id, QUESTION)]
            turn = await client.ask(dialogue.id, "Who founded it?")
            assert turn.number == 2
            assert made.id in [one.id async for one in client.collections()]
            await client.delete_collection(made.id)
            return names

    assert asyncio.run(use()) == ["searched", "answer", "followups", "done"]


@contextmanager
def relay(port: int, cuts: int, after: bytes) -> Iterator[str]:
    """The URL of a relay whose first connections break once the service has sent some words."""
    listening = socket.create_server(("127.0.0.1", 0))

    def carry(client: socket.socket, cut: bool) -> None:
        with client, socket.create_connection(("127.0.0.1", port)) as service:
            seen = b""
            while True:
                for ready in select.select([client, service], [], [])[0]:
                    content = ready.recv(65_536)
                    if not content:
                        return
                    (service if ready is client else client).sendall(content)
                    seen += content if ready is service else b""
                    if cut and after in seen:
                        return

    def accept() -> None:
        for number in itertools.count():
            try:
                client, _ = listening.accept()
            except OSError:  # closed
                return
            threading.Thread(target=carry, args=(client, number < cuts), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    with listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.parametrize("after", [b"event: searched", b"event: answer"])
def test_stages_go_on_after_a_broken_connection_and_nothing_is_asked_twice(
    service: Service, collection: str, client: Client, after: bytes
):
    dialogue = client.begin(collection)
    port = int(service.url.rpartition(":")[2])
    with relay(port, 2, after) as url, Client(url) as through:
        names = [stage.name for stage in through.stages(dialogue.id, QUESTION)]
    assert names == ["searched", "answer", "followups", "done"]
    assert len(client.dialogue(dialogue.id).turns) == 1


def test_errors_say_what_to_do(client: Client, collection: str, tmp_path: Path):
    with pytest.raises(ServiceError, match="no letter or digit"):
        list(client.stages(client.begin(collection).id, "?"))
    with pytest.raises(SeminarError, match="no such file or folder"):
        client.upload(collection, tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="is no address of a service"):
        Client("localhost:8765")
    with Client("http://127.0.0.1:9") as nobody, pytest.raises(UnreachableError, match="reached"):
        nobody.create("x")


def test_hidden_files_and_links_stay(tmp_path: Path):
    (tmp_path / "a.md").write_text("a")
    (tmp_path / ".b.md").write_text("b")
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    assert [one.name for one in local_files(tmp_path)] == ["a.md"]


def test_events_are_read_line_by_line():
    reader = EventReader()
    lines = [": alive", "", "event: answer", 'data: {"a":', "data: 1}", ""]
    assert [event for line in lines if (event := reader.read(line))] == [("answer", {"a": 1})]


def test_client_loads_nothing_of_the_server():
    code = (
        "import sys, seminar.client; "
        "print([one for one in sys.modules if one.startswith('seminar.serving')"
        " or one in ('fastapi', 'sqlalchemy', 'numpy', 'onnxruntime')])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "[]\n", printed.stderr


@pytest.mark.parametrize(
    ("status", "retry_after", "wait"),
    [(429, "7", 7.0), (503, "2", 2.0), (404, "7", None), (429, None, None), (429, "3600", None)],
)
def test_only_a_busy_service_is_asked_again(status: int, retry_after: str | None, wait):
    assert wait_of(status, retry_after) == wait


def test_a_client_waits_where_it_asks_too_often(tmp_path: Path):
    with people_of(weak(tmp_path, requests_per_minute=60)) as people:
        made = people.admin.send("POST", "/tokens", {"name": "t", "scopes": ["read"]}, 201)
        limit = people.service.state.guard.requests
        spent = 0
        while not limit.seconds_to_wait(people.admin.id, time.monotonic()):
            spent += 1
        with Client(people.service.url, token=made["secret"]) as client:
            assert list(client.collections()) == []
    assert spent > 1
