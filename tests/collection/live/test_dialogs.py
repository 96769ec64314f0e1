"""Dialogs of two over real sockets."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collection.small_corpus import SECRET, TIDE
from tests.collection.studies import SHORT, Running, Socket, serving, write_study

FOUNDED = {
    "page": "tide",
    "start": TIDE.text.index("founded"),
    "end": TIDE.text.index("founded") + len("founded in 1987"),
}
ACTS = {"continuation": "follow up", "affirmation": "neither"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("quac")
    with serving(write_study(folder, "quac", SHORT)) as running:
        yield running


def turn(student: Socket, teacher: Socket, question: str = "When?") -> None:
    student.until_turn()
    assert student.act("ask", question=question)["type"] == "accepted"
    teacher.until_turn()
    assert teacher.act("answer span", span=FOUNDED, **ACTS)["type"] == "accepted"


def test_two_workers_are_paired_and_each_sees_what_the_other_did(study: Running):
    student, teacher = study.pair("student", "teacher")
    assert (student.view["view"], teacher.view["view"]) == ("quac student", "quac teacher")
    turn(student, teacher, "When was it founded?")
    student.until_turn()
    [seen] = student.view["turns"]
    assert (seen["question"], seen["answer"]) == ("When was it founded?", "founded in 1987")
    for _ in range(11):
        turn(student, teacher)
    assert student.until_end()["reason"] == "limit"
    assert teacher.until_end()["pay"] == 120
    standing = student.until("standing")["standing"]
    assert (standing["step"], standing["earned"]) == ("done", 120)  # there was one section


def test_student_never_receives_the_section(study: Running):
    student, teacher = study.pair("student", "teacher")
    for _ in range(3):
        turn(student, teacher)
    student.send(type="check", dialog=student.view["frame"]["dialog"], question="where?")
    student.act("answer span", span=FOUNDED, **ACTS)
    student.act("end")
    student.drain()
    assert SECRET in json.dumps(teacher.received)
    assert SECRET not in json.dumps(student.received)


def test_same_action_id_counts_once_also_in_another_tab(study: Running):
    person = study.join()
    student = person.socket()
    student.send(type="enter", role="student")
    teacher = study.join().socket()
    teacher.send(type="enter", role="teacher")
    student.until("view")
    first = student.act("ask", "one", question="When?")
    other = person.socket()
    other.until("view")
    assert other.act("ask", "one", question="When?") == first
    assert len(other.view["turns"]) == 1
    teacher.until_turn()


def test_action_out_of_turn_is_refused_and_changes_nothing(study: Running):
    student, teacher = study.pair("student", "teacher")
    refused = teacher.act("answer span", span=FOUNDED, **ACTS)
    assert (refused["type"], refused["code"]) == ("refused", "turn")
    assert student.act("ask", question="When?")["number"] == 1


def test_action_in_the_dialog_of_others_is_refused(study: Running):
    student, _ = study.pair("student", "teacher")
    stranger = study.join().socket()
    stranger.view = student.view
    assert stranger.act("ask", question="When?")["code"] == "unknown"


def test_worker_who_comes_back_goes_on_in_a_new_socket(study: Running):
    person = study.join()
    student = person.socket()
    student.send(type="enter", role="student")
    teacher = study.join().socket()
    teacher.send(type="enter", role="teacher")
    student.until("view")
    student.act("ask", question="When?")
    student.close()
    assert teacher.until("partner", state="away")["grace"] == 2.0
    assert teacher.act("answer span", span=FOUNDED, **ACTS)["type"] == "accepted"
    again = person.socket()
    teacher.until("partner", state="here")
    assert again.until_turn()["turns"][0]["answer"] == "founded in 1987"


def test_dialog_ends_with_partial_pay_when_the_partner_stays_away(study: Running):
    student, teacher = study.pair("student", "teacher")
    turn(student, teacher)
    student.close()
    assert teacher.until_end() == {"reason": "partner left", "pay": 10, "next": "lobby"}


def test_reported_partner_is_flagged(study: Running):
    person = study.join()
    student = person.socket()
    student.send(type="enter", role="student")
    rude = study.join()
    teacher = rude.socket()
    teacher.send(type="enter", role="teacher")
    student.until("view")
    student.act("report", problem="rude or offensive", text="bad words")
    assert teacher.until_end()["reason"] == "reported"
    flags = study.admin("GET", "overview").json()["flags"]
    [flag] = [one for one in flags if one["worker"] == rude.id]
    assert (flag["by"], flag["text"]) == (person.id, "rude or offensive: bad words")


def test_typing_is_told_to_the_partner_without_the_text(study: Running):
    student, teacher = study.pair("student", "teacher")
    student.send(type="typing", dialog=student.view["frame"]["dialog"], on=True)
    told = teacher.until("partner", state="typing")
    assert told.keys() == {"type", "dialog", "state", "grace"}


def test_socket_without_a_valid_token_is_closed(study: Running):
    person = study.join()
    person.token = "wrong"
    with pytest.raises(AssertionError):
        person.socket()


def test_page_is_not_readable_over_http_by_the_student(study: Running):
    person = study.join()
    student = person.socket()
    student.send(type="enter", role="student")
    teacher = study.join().socket()
    teacher.send(type="enter", role="teacher")
    dialog = student.until("view")["view"]["frame"]["dialog"]
    assert person.get(f"dialogs/{dialog}/page", page="tide").status_code == 404
