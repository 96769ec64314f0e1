"""Several processes that serve one study over PostgreSQL."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.collection.studies import Person, Running, Socket, serving, write_study
from tests.serving.conftest import new_database, postgres, wait_until  # noqa: F401 - a fixture

NOTHING = {"span": None, "continuation": "maybe", "affirmation": "neither"}


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_database(request, tmp_path, "postgresql")


@contextmanager
def two(file: Path, database: str) -> Iterator[tuple[Running, Running]]:
    """Two servers of a study."""
    with serving(file, database=database) as one, serving(file, database=database) as other:
        yield one, other


def at(person: Person, study: Running) -> Person:
    """The same worker, whom the proxy sends to another server."""
    return Person(study, person.token, person.id)


def paired(one: Running, other: Running) -> tuple[tuple[Person, Socket], tuple[Person, Socket]]:
    """A student at one server and a teacher at another, in a dialog."""
    people = one.join(), other.join()
    sockets = people[0].socket(), people[1].socket()
    for socket, role in zip(sockets, ("student", "teacher"), strict=True):
        socket.send(type="enter", role=role)
    for socket in sockets:
        socket.until("view")
    return (people[0], sockets[0]), (people[1], sockets[1])


def test_partners_at_two_servers_hold_a_dialog(tmp_path: Path, database: str):
    with two(write_study(tmp_path, "quac"), database) as (one, other):
        (learner, student), (_, teacher) = paired(one, other)
        student.send(type="typing", dialog=student.view["frame"]["dialog"], on=True)
        teacher.until("partner", state="typing")
        assert student.act("ask", question="When was it founded?")["number"] == 1
        assert teacher.until_turn()["turns"][0]["question"] == "When was it founded?"
        assert teacher.act("answer span", **NOTHING)["number"] == 2
        assert student.until_turn()["frame"]["number"] == 2
        [line] = other.admin("GET", "overview").json()["live"]
        assert [seat["here"] for seat in line["seats"]] == [True, True]
        assert teacher.act("leave")["type"] == "accepted"
        assert student.until_end()["reason"] == "partner left"
        student.until("standing")
        assert at(learner, other).standing()["step"] == "done"


def test_worker_goes_on_at_another_server_and_an_action_counts_once(tmp_path: Path, database: str):
    with two(write_study(tmp_path, "quac"), database) as (one, other):
        (learner, student), (_, teacher) = paired(one, other)
        assert student.act("ask", "first", question="When?")["number"] == 1
        student.connection.socket.close()  # before it knew that this was stored, say
        student = at(learner, other).socket()
        student.until("view")
        assert student.act("ask", "first", question="When?")["number"] == 1
        teacher.until_turn()
        assert teacher.act("answer span", **NOTHING)["number"] == 2
        student.until_turn()
        assert student.act("ask", "second", question="Why?")["number"] == 3


def test_of_two_actions_at_once_at_two_servers_one_is_accepted(tmp_path: Path, database: str):
    with two(write_study(tmp_path, "quac"), database) as (one, other):
        (learner, student), (_, _) = paired(one, other)
        second = at(learner, other).socket()
        second.until("view")
        tabs = student, second
        with ThreadPoolExecutor(2) as both:
            asked = list(both.map(lambda tab: tab.act("ask", question="And?"), tabs))
        assert sorted(answer["type"] for answer in asked) == ["accepted", "refused"]


def test_nobody_is_paired_twice_and_no_more_dialogs_begin_than_are_wanted(
    tmp_path: Path, database: str
):
    file = write_study(tmp_path, "quac", "[quotas]\ndialogs = 3\nper_subject = 0\n")
    with two(file, database) as (one, other):
        servers = [one, other] * 5
        people = [server.join() for server in servers]
        sockets = [person.socket() for person in people]
        with ThreadPoolExecutor(len(sockets)) as all_at_once:
            list(all_at_once.map(lambda one: one.send(type="enter", role=""), sockets))
        wait_until(lambda: len(one.admin("GET", "overview").json()["live"]) == 3)
        for socket in sockets:
            socket.drain(0.5)
        seated = [
            seat["worker"]
            for line in other.admin("GET", "overview").json()["live"]
            for seat in line["seats"]
        ]
        assert len(seated) == len(set(seated)) == 6
        shown = [bool(socket.view) for socket in sockets]
        assert shown == [person.id in seated for person in people]


def test_what_the_admin_does_at_one_server_reaches_workers_at_the_other(
    tmp_path: Path, database: str
):
    with two(write_study(tmp_path, "quac"), database) as (one, other):
        (_, student), (expert, teacher) = paired(one, other)
        one.admin("POST", "messages", {"worker": expert.id, "text": "Good work."})
        assert teacher.until("notice")["text"] == "Good work."
        assert at(expert, one).post("withdraw", {"confirmed": True}).status_code == 204
        assert teacher.until("closing")["again"] is False
        assert student.until_end()["reason"] == "stopped"
        waiting = other.join().socket()
        one.admin("POST", "state", {"state": "closed"})
        assert waiting.until("standing")["standing"]["step"] == "closed"


def test_server_of_another_study_over_the_same_database_is_refused(tmp_path: Path, database: str):
    file = write_study(tmp_path, "quac")
    with serving(file, database=database):
        changed = write_study(tmp_path / "changed", "quac", '[pay]\nturn = "9.00"\n')
        command = [sys.executable, "-m", "seminar", "collect", "serve", str(changed)]
        environment = {**os.environ, "SEMINAR_DATABASE": database}
        ended = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ended.returncode == 2
    assert "with another STUDY.toml" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


@contextmanager
def process(file: Path, database: str) -> Iterator[tuple["subprocess.Popen[str]", Running]]:
    """A server process, killed at the end."""
    command = [sys.executable, "-m", "seminar", "collect", "serve", str(file), "--port", "0"]
    environment = {**os.environ, "SEMINAR_DATABASE": database}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as started:
        try:
            assert started.stdout is not None
            url = started.stdout.readline().split()[-1].rstrip("/")
            with httpx.Client(base_url=url, timeout=30) as client:
                yield started, Running(url, client, None)
        finally:
            started.kill()


def test_dialogs_and_the_lobby_go_on_when_a_server_is_killed(tmp_path: Path, database: str):
    file = write_study(tmp_path, "quac", "[times]\ngrace = 60\nidle = 120\n")
    with process(file, database) as (first, one), process(file, database) as (_, other):
        (learner, student), (_, teacher) = paired(one, other)
        alone = one.join()
        alone.socket().send(type="enter", role="student")
        assert student.act("ask", "first", question="When?")["number"] == 1
        dialog = student.view["frame"]["dialog"]
        student.send(
            type="act", dialog=dialog, id="lost", action={"kind": "ask", "question": "Again?"}
        )
        first.send_signal(signal.SIGKILL)
        student = at(learner, other).socket()
        student.until("view")
        assert student.act("ask", "first", question="When?")["number"] == 1
        teacher.until_turn()
        assert teacher.act("answer span", **NOTHING)["number"] == 2
        student.until_turn()
        wait_until(lambda: at(alone, other).standing()["step"] == "lobby", 60)  # not "waiting"
        assert student.act("ask", question="Why?")["number"] == 3
