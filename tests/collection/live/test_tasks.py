"""Tasks that are done alone, over a real server: writing, validation, verification, forms."""

import json
from pathlib import Path

from tests.collection.small_corpus import CHUNK, TIDE
from tests.collection.studies import Running, Socket, serving, write_study

FOUNDED = TIDE.text.index("founded")
SPAN = {"page": "tide", "start": FOUNDED, "end": FOUNDED + 15}
ACTS = {"continuation": "follow up", "affirmation": "neither"}


def whole_dialog(study: Running, turns: int = 3) -> tuple[Socket, Socket]:
    student, teacher = study.pair("student", "teacher")
    for number in range(turns):
        student.until_turn()
        student.act("ask", question=f"What about {number}?")
        teacher.until_turn()
        teacher.act("answer span", span=SPAN, **ACTS)
    student.act("end")
    teacher.until_end()
    return student, teacher


def test_others_annotate_a_kept_dialog_question_by_question(tmp_path: Path):
    file = write_study(tmp_path, "quac", "[validation]\nannotations = 1\n")
    with serving(file) as study:
        student, _ = whole_dialog(study)
        about = student.view["frame"]["dialog"]
        assert "validation" not in student.until("standing")["standing"]["tasks"]
        person = study.join()
        assert person.standing()["tasks"] == ["validation"]
        socket = person.begin("validation")
        assert "What about 1?" not in json.dumps(socket.view)
        for number in range(3):
            while len(socket.view["turns"]) < number + 1:
                socket.receive()
            assert socket.act("answer span", span=None, **ACTS)["type"] == "accepted"
        assert socket.until_end() == {"reason": "completed", "pay": 15, "next": "lobby"}
        assert study.join().standing()["tasks"] == []
        records = study.admin("GET", "exports/records").json()
        made = records["annotations"]
        assert [(one["dialog"], one["number"]) for one in made] == [(about, n) for n in (1, 2, 3)]
        assert len(records["turns"]) == 3


def test_question_of_qaconv_is_written_verified_and_answered_again(tmp_path: Path):
    options = (
        "[options]\nchoosing = 0\nunanswerable = 0\nverify = 'all'\ntraps = 0\n"
        "[validation]\nannotations = 1\n[quotas]\nper_subject = 1\n"
    )
    with serving(write_study(tmp_path, "qaconv", options)) as study:
        writer = study.join()
        assert writer.standing()["tasks"] == ["write"]
        socket = writer.begin("write")
        if socket.view["chunk"]["title"] != CHUNK.title:
            socket.act("leave")
            socket = writer.begin("write")  # the other chunk: each is new to a worker once
        question = "Which day was the launch moved to by Bob?"
        refused = socket.act("write", question=question, answers=["Tuesday"])
        assert (refused["code"], "in the source" in refused["detail"]) == ("text", True)
        socket.act("write", question=question, answers=["Monday"])
        assert socket.until_end()["reason"] == "completed"
        verifier = study.join()
        tasks = verifier.standing()["tasks"]
        assert {"verification", "validation"} <= set(tasks)
        socket = verifier.begin("verification")
        assert (socket.view["question"], socket.view["answers"]) == (question, ["Monday"])
        socket.act("judge", option="D", answer="the Monday")
        socket.until_end()
        socket = study.join().begin("validation")
        socket.act("answer chunk", text="in March")
        socket.until_end()
        third = study.join()  # the answers differ, so that a third one is needed
        assert "validation" in third.standing()["tasks"]
        made = study.admin("GET", "exports/records").json()["annotations"]
        assert [one["option"] for one in made] == ["D", ""]


def test_planted_question_that_is_not_seen_is_flagged(tmp_path: Path):
    options = (
        "[options]\nchoosing = 0\nunanswerable = 0\nverify = 'all'\ntraps = 100\n"
        "[quotas]\nper_subject = 1\n"
    )
    written = {
        "Launch": ("Which day was the launch moved to by Bob?", "Monday"),
        "Roof": ("Which part of the Lantern House leaks badly now?", "roof"),
    }
    with serving(write_study(tmp_path, "qaconv", options)) as study:
        for _ in written:  # each subject once, in any order
            socket = study.join().begin("write")
            question, answer = written[socket.view["chunk"]["title"]]
            assert socket.act("write", question=question, answers=[answer])["type"] == "accepted"
            socket.until_end()
        verifier = study.join()
        socket = verifier.begin("verification")
        socket.act("judge", option="A")
        socket.until_end()
        flags = study.admin("GET", "overview").json()["flags"]
        assert [(one["kind"], one["worker"]) for one in flags] == [("failed trap", verifier.id)]
