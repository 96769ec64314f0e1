"""Practice with the assistant and its drafts, with a real reader over a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collection.small_corpus import TIDE
from tests.collection.studies import Running, serving, write_study

PRACTICE = '[assistant]\nreader = "sentence"\npractice = ["student", "teacher"]\ndrafts = true\n'
NO_ANSWER = {"span": None, "continuation": "don't", "affirmation": "neither"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("practice")
    with serving(write_study(folder, "quac", PRACTICE)) as running:
        yield running


def test_assistant_teaches_from_the_section_and_nothing_is_paid_or_kept(study: Running):
    person = study.join()
    assert person.standing()["tasks"] == ["practice"]
    student = person.begin("practice", "student")
    student.act("ask", question="Where does the choir rehearse?")
    student.until_turn()
    [turn] = student.view["turns"]
    assert "in the salt warehouse" in turn["answer"]
    student.act("leave")
    assert student.until_end()["pay"] == 0
    line = study.admin("GET", "dialogs").json()["dialogs"][0]
    assert (line["practice"], line["kept"]) == (True, False)


def test_simulated_student_asks_one_question_after_another(study: Running):
    teacher = study.join().begin("practice", "teacher")
    questions = []
    for _ in range(3):
        questions.append(teacher.until_turn()["turns"][-1]["question"])
        teacher.act("answer span", **NO_ANSWER)
    assert len(set(questions)) == 3
    assert teacher.until_end()["reason"] == "unanswerable"


def test_teacher_gets_a_draft_that_the_student_does_not_see(study: Running):
    student, teacher = study.pair("student", "teacher")
    student.act("ask", question="Where does the choir rehearse?")
    while not teacher.view.get("draft"):
        teacher.receive()
    assert teacher.view["frame"]["assisted"] is True
    [span] = teacher.view["draft"]["spans"]
    assert "salt warehouse" in TIDE.text[span["start"] : span["end"]]
    student.drain()
    assert "warehouse" not in str(student.received)
    edited = {"page": "tide", "start": span["start"], "end": span["end"] - 1}
    teacher.until_turn()
    answer = {"span": edited, "continuation": "maybe", "affirmation": "neither"}
    assert teacher.act("answer span", **answer)["type"] == "accepted"
