"""A server process that is killed in mid-turn, and started again over the same state."""

import subprocess
from pathlib import Path

import httpx

from tests.collection.processes import COMMAND, process
from tests.collection.studies import Running, write_study


def test_kill_in_mid_turn_loses_nothing(tmp_path: Path):
    file = write_study(tmp_path, "quac")
    with process(file) as (server, url, first_token), httpx.Client(base_url=url) as client:
        study = Running(url, client, None)
        people = [study.join(), study.join()]
        sockets = [person.socket() for person in people]
        for socket, role in zip(sockets, ("student", "teacher"), strict=True):
            socket.send(type="enter", role=role)
        for socket in sockets:
            socket.until("view")
        student, teacher = sockets
        assert student.act("ask", "question", question="When was it founded?")["number"] == 1
        teacher.until_turn()
        answer = {"span": None, "continuation": "maybe", "affirmation": "neither"}
        dialog = teacher.view["frame"]["dialog"]
        act = {"type": "act", "dialog": dialog, "id": "answer"}
        teacher.send(**act, action={"kind": "answer span", **answer})
        server.kill()  # perhaps before the answer was stored, perhaps after
    with process(file) as (_, url, token), httpx.Client(base_url=url) as client:
        assert token == first_token
        for person in people:
            person.study = Running(url, client, None)
        teacher, student = people[1].socket(), people[0].socket()
        teacher.until("view")
        assert teacher.act("answer span", "answer", **answer)["number"] == 2
        assert teacher.act("answer span", "answer", **answer)["number"] == 2
        assert student.until_turn()["turns"][0]["question"] == "When was it founded?"
        assert student.act("ask", "question", question="again")["number"] == 1
        assert student.act("ask", "next", question="Why?")["number"] == 3


def test_second_process_over_the_same_state_is_refused(tmp_path: Path):
    file = write_study(tmp_path, "quac")
    with process(file):
        second = subprocess.run(
            [*COMMAND, str(file), "--port", "0"], capture_output=True, text=True
        )
    assert second.returncode == 2
    assert "another process serves this study" in second.stderr
    assert len(second.stderr.strip().splitlines()) == 1
