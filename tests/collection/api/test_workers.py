"""The way of a worker through a study over HTTP: platforms, consent, tests, pay, withdrawal."""

import csv
import io
import sqlite3
from pathlib import Path

from tests.collection.studies import Running, Socket, serving, write_study

TEST = """
[qualification]
text = "Read the rules."
pass_mark = 1
attempts = 2
items = [{ text = "May you answer in your own words?", options = ["yes", "no"], answer = 1 }]
"""
PROLIFIC = '[platform]\nname = "prolific"\ncompletion_code = "C0DE"\n'
NO_ANSWER = {"span": None, "continuation": "don't", "affirmation": "neither"}


def unanswerable_dialog(study: Running, student: Socket, teacher: Socket) -> None:
    """A dialog of three questions without an answer, after which it ends by itself."""
    for _ in range(3):
        student.until_turn()
        student.act("ask", question="Is there gold?")
        teacher.until_turn()
        teacher.act("answer span", **NO_ANSWER)
    student.until_end()
    teacher.until_end()


def test_worker_of_a_platform_is_the_same_one_when_they_come_again(tmp_path: Path):
    with serving(write_study(tmp_path, "quac", PROLIFIC)) as study:
        link = {"PROLIFIC_PID": "p1", "STUDY_ID": "s", "SESSION_ID": "x"}
        first, again = study.join(**link), study.join(consent=False, **link)
        other = study.join(**{**link, "PROLIFIC_PID": "p2"})
        assert first.id == again.id != other.id
        assert again.standing()["step"] == "lobby"
        assert "p1" not in first.id
        missing = study.client.post("/api/v1/join", json={"parameters": {}})
        assert (missing.status_code, "PROLIFIC_PID" in missing.json()["detail"]) == (422, True)
        sockets = [person.socket() for person in (first, other)]
        for socket, role in zip(sockets, ("student", "teacher"), strict=True):
            socket.send(type="enter", role=role)
        for socket in sockets:
            socket.until("view")
        assert first.standing()["completion_code"] == ""
        unanswerable_dialog(study, *sockets)
        standing = first.standing()
        assert standing["completion_code"] == "C0DE"
        assert standing["completion_url"].endswith("/submissions/complete?cc=C0DE")
        exported = study.admin("GET", "exports/records").text
        assert "p1" not in exported
        assert first.id in exported


def test_mturk_may_frame_its_pages_and_gets_its_submission_address(tmp_path: Path):
    with serving(write_study(tmp_path, "quac", '[platform]\nname = "mturk"\n')) as study:
        policy = study.client.get("/").headers["content-security-policy"]
        assert "frame-ancestors https://worker.mturk.com" in policy
        link = {"workerId": "A1", "hitId": "H", "turkSubmitTo": "https://www.mturk.com"}
        preview = {**link, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
        answer = study.client.post("/api/v1/join", json={"parameters": preview})
        assert answer.status_code == 409
        person = study.join(**link, assignmentId="a 1")
        bonus = {"key": "b1", "worker": person.id, "amount": 5}
        study.admin("POST", "bonus", bonus)
        url = person.standing()["completion_url"]
        assert url.startswith("https://www.mturk.com/mturk/externalSubmit?assignmentId=a+1&code=")
        evil = study.join(workerId="A2", assignmentId="a", turkSubmitTo="https://evil.example")
        study.admin("POST", "bonus", {**bonus, "key": "b2", "worker": evil.id})
        assert evil.standing()["completion_url"] == ""


def test_plain_link_asks_for_its_code(tmp_path: Path):
    with serving(write_study(tmp_path, "quac", '[platform]\njoin_code = "tide"\n')) as study:
        assert study.client.post("/api/v1/join", json={}).status_code == 403
        assert study.join(code="tide").standing()["step"] == "lobby"


def test_who_does_not_agree_is_forgotten(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        person = study.join(consent=False)
        assert person.standing()["step"] == "consent"
        assert person.post("tasks", {"task": "validation"}).status_code == 409
        version = study.client.get("/api/v1/study").json()["consent_version"]
        answer = person.post("consent", {"version": version, "agreed": False})
        assert answer.status_code == 204
        assert person.get("standing").status_code == 401


def test_qualification_is_passed_within_its_attempts(tmp_path: Path):
    with serving(write_study(tmp_path, "quac", TEST)) as study:
        person, other = study.join(), study.join()
        assert person.standing()["step"] == "qualification"
        form = person.get("qualification").json()
        assert [sorted(item) for item in form["items"]] == [["options", "text"]]
        assert person.post("qualification", {"answers": [0]}).json()["attempts_left"] == 1
        assert person.post("qualification", {"answers": [1]}).json()["passed"] is True
        assert person.standing()["step"] == "lobby"
        for _ in range(2):
            other.post("qualification", {"answers": [0]})
        assert other.standing()["step"] == "unqualified"
        assert other.post("qualification", {"answers": [1]}).status_code == 409
        study.admin("POST", f"workers/{other.id}", {"qualified": True})
        assert other.standing()["step"] == "lobby"


def test_exit_survey_comes_after_a_dialog(tmp_path: Path):
    survey = (
        '[[survey]]\nname = "partner"\ntext = "How was your partner?"\n'
        '[[survey]]\nname = "more"\ntext = "More?"\nkind = "text"\nrequired = false\n'
        'roles = ["teacher"]\n'
    )
    with serving(write_study(tmp_path, "quac", survey)) as study:
        student, teacher = study.pair("student", "teacher")
        unanswerable_dialog(study, student, teacher)
        dialog = student.view["frame"]["dialog"]
        assert student.view["frame"]["ended"]["next"] == "exit survey"
        standing = student.until("standing")["standing"]
        assert (standing["step"], standing["dialog"]) == ("exit survey", dialog)


def test_pay_is_listed_and_its_file_sums_to_the_cent(tmp_path: Path):
    with serving(write_study(tmp_path, "quac")) as study:
        people = [study.join(), study.join()]
        sockets = [person.socket() for person in people]
        for socket, role in zip(sockets, ("student", "teacher"), strict=True):
            socket.send(type="enter", role=role)
        for socket in sockets:
            socket.until("view")
        unanswerable_dialog(study, *sockets)
        person = people[0]
        bonus = {"key": "b", "worker": person.id, "amount": 25, "note": "=thanks"}
        for _ in range(2):
            assert study.admin("POST", "bonus", bonus).json()["total"] == 55
        rows = list(csv.DictReader(io.StringIO(person.get("pay.csv").text)))
        assert [(row["kind"], row["amount"]) for row in rows] == [
            ("turns", "0.30"),
            ("bonus", "0.25"),
            ("total", "0.55"),
        ]
        assert rows[1]["note"] == "'=thanks"


def test_withdrawal_deletes_a_person_everywhere(tmp_path: Path):
    with serving(write_study(tmp_path, "quac", PROLIFIC)) as study:
        leaving = study.join(PROLIFIC_PID="the-name-at-prolific")
        staying = study.join(PROLIFIC_PID="other")
        sockets = [person.socket() for person in (leaving, staying)]
        for socket, role in zip(sockets, ("student", "teacher"), strict=True):
            socket.send(type="enter", role=role)
        for socket in sockets:
            socket.until("view")
        student, teacher = sockets
        student.until_turn()
        student.act("ask", question="A very personal question?")
        teacher.until_turn()
        teacher.act("answer span", **NO_ANSWER)
        assert leaving.post("withdraw", {"confirmed": False}).status_code == 422
        assert leaving.post("withdraw", {"confirmed": True}).status_code == 204
        assert teacher.until_end()["reason"] == "stopped"
        assert leaving.get("standing").status_code == 401
        records = study.admin("GET", "exports/records")
        assert leaving.id not in records.text
        assert "personal" not in records.text
        assert staying.standing()["earned"] == 10
        owed = study.admin("GET", "overview").json()["owed"]
        assert owed == 20  # what the person had earned stays in the sum, without their name
    with sqlite3.connect(tmp_path / "state" / "study.sqlite") as database:
        assert database.execute("SELECT count(*) FROM actions").fetchone() == (0,)
    for file in (tmp_path / "state").glob("study.sqlite*"):
        content = file.read_bytes()
        for secret in (b"very personal", b"the-name-at-prolific", leaving.id.encode()):
            assert secret not in content
