"""The same study over PostgreSQL."""

from pathlib import Path

import pytest

from tests.collection.studies import serving, write_study
from tests.serving.conftest import new_database, postgres  # noqa: F401 - a fixture

NO_ANSWER = {"span": None, "continuation": "don't", "affirmation": "neither"}


@pytest.mark.parametrize("kind", ["postgresql"])
def test_dialog_withdrawal_and_restart_over_postgresql(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
):
    database = new_database(request, tmp_path, kind)
    file = write_study(tmp_path, "quac")
    with serving(file, database=database) as study:
        people = [study.join(), study.join()]
        sockets = [person.socket() for person in people]
        for socket, role in zip(sockets, ("student", "teacher"), strict=True):
            socket.send(type="enter", role=role)
        for socket in sockets:
            socket.until("view")
        assert sockets[0].act("ask", "one", question="Is there gold?")["number"] == 1
    with serving(file, database=database) as study:
        for person in people:
            person.study = study
        teacher = people[1].socket()
        teacher.until_turn()
        assert teacher.act("answer span", **NO_ANSWER)["number"] == 2
        assert people[0].post("withdraw", {"confirmed": True}).status_code == 204
        assert study.admin("GET", "exports/records").json()["dialogs"] == []
