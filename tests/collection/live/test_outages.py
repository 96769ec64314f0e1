"""A study on several processes whose database goes away, for all of them or for one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.collection.live.test_processes import NOTHING, at, paired, process, two
from tests.collection.studies import Person, Running, Socket, write_study
from tests.serving import hosts, postgres
from tests.serving.conftest import wait_until

TIMES = "[times]\ngrace = 120\nidle = 300\n"
needs_postgres = pytest.mark.skipif(not postgres.is_installed(), reason=postgres.MISSING)
needs_hosts = pytest.mark.skipif(not hosts.are_possible(), reason=hosts.MISSING)


def is_ready(study: Running) -> bool:
    try:
        return study.client.get("/ready").status_code == 200
    except httpx.TransportError:
        return False


def again(person: Person, study: Running) -> Socket:
    """Connect again, as the page does, until the dialog is there."""
    found: list[Socket] = []

    def connects() -> bool:
        socket = at(person, study).socket()
        try:
            socket.until("view")
        except ConnectionClosed:
            return False
        found.append(socket)
        return True

    wait_until(lambda: is_ready(study) and connects())
    return found[-1]


@needs_postgres
def test_dialog_goes_on_after_the_database_crashed(tmp_path: Path):
    file = write_study(tmp_path, "quac", TIMES)
    with postgres.postgres_cluster() as cluster, two(file, cluster.url) as (one, other):
        (learner, student), (expert, teacher) = paired(one, other)
        assert student.act("ask", "first", question="When?")["number"] == 1
        teacher.until_turn()
        cluster.stop()
        assert not is_ready(one)
        assert learner.get("standing").status_code == 503
        dialog = teacher.view["frame"]["dialog"]
        answer = {"kind": "answer span", **NOTHING}
        teacher.send(type="act", dialog=dialog, id="answer", action=answer)
        assert teacher.until("closing")["again"] is True
        cluster.start()
        student, teacher = again(learner, one), again(expert, other)
        assert teacher.act("answer span", "answer", **NOTHING)["number"] == 2
        assert student.until_turn()["frame"]["number"] == 2
        assert student.act("ask", "second", question="Why?")["number"] == 3
        assert teacher.until_turn()["frame"]["number"] == 3  # the other process is heard again


@contextmanager
def process_on(host: hosts.Host, file: Path, database: str) -> Iterator[Running]:
    """A server process on a host of its own."""
    serve = ["-m", "seminar", "collect", "serve", str(file), "--port", "8643"]
    command = host.command(sys.executable, *serve, "--host", host.front)
    environment = {**os.environ, "SEMINAR_DATABASE": database}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as started:
        try:
            url = f"http://{host.front}:8643"
            with httpx.Client(base_url=url, timeout=30) as client:
                study = Running(url, client, None)
                wait_until(lambda: is_ready(study))
                yield study
        finally:
            started.kill()


@needs_postgres
@needs_hosts
def test_workers_of_a_process_cut_off_from_the_database_go_on_at_another_one(tmp_path: Path):
    file = write_study(tmp_path, "quac", TIMES)
    with (
        hosts.networks() as net,
        postgres.postgres_cluster(net.back) as cluster,
        process(file, cluster.url) as (_, whole),
        process_on(net.add(), file, cluster.url) as part,
    ):
        (learner, student), (_, teacher) = paired(part, whole)
        assert student.act("ask", "first", question="When?")["number"] == 1
        net.hosts[0].cut_off()
        dialog = student.view["frame"]["dialog"]
        student.send(
            type="act", dialog=dialog, id="x", action={"kind": "ask", "question": "Again?"}
        )
        while True:
            message = student.receive(60)
            if message["type"] == "closing":
                assert message["again"] is True
                break
        assert part.client.get("/ready").status_code == 503
        student = again(learner, whole)
        teacher.until_turn()
        assert teacher.act("answer span", **NOTHING)["number"] == 2
        student.until_turn()
        assert student.act("ask", "second", question="Why?")["number"] == 3
        net.hosts[0].connect()
        wait_until(lambda: is_ready(part))
        student = again(learner, part)
        assert student.view["frame"]["number"] == 3
