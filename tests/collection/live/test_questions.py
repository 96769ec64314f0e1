"""Which written questions of QAConv are verified, answered again, and deleted with their writer."""

from dataclasses import replace
from pathlib import Path

import pytest

from seminar.collection.corpus.records import Corpus
from seminar.collection.corpus.storing import write_corpus
from seminar.collection.live.matching import StudySoFar
from seminar.collection.live.tasks import next_about
from seminar.collection.records import Dialog, Flag, Seat, WrittenQuestion
from seminar.collection.storage.questions import QuestionsSoFar
from seminar.collection.study.loading import Study, load_study
from tests.collection.small_corpus import CHUNK, START
from tests.collection.studies import Person, Running, serving, write_study

QUESTION = "Which day was the launch moved to by Bob?"
OFFERED = CHUNK.questions
WRITING = Dialog("w1", "qaconv", "dialog", "c1", (Seat("writer", "ann"),), START)
KEPT = replace(WRITING, state="ended", kept=True)
ALONE = "[options]\nchoosing = 0\nunanswerable = 0\ntraps = 0\n[quotas]\nper_subject = 0\n"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("qaconv")
    return load_study(write_study(folder, "qaconv", "[validation]\nannotations = 1\n"))


def so_far(
    *tasks: Dialog, answers: tuple[str, ...] = ("Monday",), read: str = "Akzo", **more: object
) -> StudySoFar:
    """One written question, which the reader has answered, with what was done about it."""
    written = WrittenQuestion(QUESTION, answers, OFFERED)
    questions = QuestionsSoFar({"w1": written}, {"w1": read}, **more)
    return StudySoFar([KEPT, *tasks], [], questions)


def judged(identity: str, worker: str, task: str = "verification", **fields: object) -> Dialog:
    seats = (Seat("verifier", worker),)
    return replace(KEPT, id=identity, task=task, about="w1", seats=seats, **fields)


def is_open(study: Study, known: StudySoFar, task: str = "verification") -> bool:
    return next_about(study, "dan", task, known) is not None


@pytest.mark.parametrize(
    ("answers", "read", "verified"),
    [
        (("Monday",), "Monday.", False),
        (("Monday",), "Friday", True),
        (("Monday",), "", True),
        ((), "Friday", False),
    ],
)
def test_question_is_verified_where_reader_and_writer_differ(
    study: Study, answers: tuple[str, ...], read: str, verified: bool
):
    assert is_open(study, so_far(answers=answers, read=read)) == verified


def test_answer_of_the_generator_counts_beside_that_of_the_reader(study: Study):
    written = WrittenQuestion(OFFERED[0], ("on Monday",), OFFERED, 0)  # generated: Monday
    questions = QuestionsSoFar({"w1": written}, {"w1": "Akzo"})
    assert not is_open(study, StudySoFar([KEPT], [], questions))


def test_question_that_the_reader_has_not_read_waits(study: Study):
    questions = replace(so_far().questions, by_reader={})
    assert not is_open(study, StudySoFar([KEPT], [], questions))
    assert questions.unread([KEPT]) == [KEPT]


def test_planted_question_leaves_the_verification_to_others(study: Study):
    assert not is_open(study, so_far(judged("v1", "eve")))
    assert is_open(study, so_far(judged("v1", "eve", setup={"trap": True})))


def test_verdicts_that_do_not_count_are_asked_of_others_again(study: Study):
    known = so_far(judged("v1", "eve"))
    missed = Flag("f", "failed trap", "eve", START)
    assert is_open(study, replace(known, flags=[missed]))
    assert is_open(study, so_far(judged("v1", "eve", review="rejected")))


def test_third_answer_is_asked_for_where_the_second_differs(study: Study):
    second = judged("a1", "eve", "validation")
    assert is_open(study, so_far(), "validation")
    assert not is_open(study, so_far(second, again={"a1": "Monday"}), "validation")
    assert is_open(study, so_far(second, again={"a1": "Akzo"}), "validation")
    third = judged("a2", "fay", "validation")
    both = {"a1": "Akzo", "a2": "the contract"}
    assert not is_open(study, so_far(second, third, again=both), "validation")


def written(study: Running, question: str, answer: str, title: str = CHUNK.title) -> Person:
    """A writer who wrote a question about a chunk."""
    for _ in range(20):  # chunks come by chance, those with fewer questions first
        person = study.join()
        socket = person.begin("write")
        if socket.view["chunk"]["title"] == title:
            accepted = socket.act("write", question=question, answers=[answer])
            assert accepted["type"] == "accepted", accepted
            socket.until_end()
            return person
        socket.act("leave")
    raise AssertionError(f"nobody was given {title!r}")


def test_reader_answers_what_was_written_and_who_waits_hears_of_the_verification(tmp_path: Path):
    file = write_study(tmp_path, "qaconv", ALONE)
    write_corpus(tmp_path / "corpus", Corpus(chunks=(CHUNK,)))
    with serving(file) as study:
        verifier = study.join().socket()
        written(study, "Who signs the contract with Akzo in March?", "Dana")
        written(study, QUESTION, "Friday")  # the conversation says Monday
        while "verification" not in verifier.until("standing")["standing"]["tasks"]:
            pass
        socket = study.join().begin("verification")
        assert (socket.view["question"], socket.view["answers"]) == (QUESTION, ["Friday"])
        socket.act("judge", option="C")
        socket.until_end()
        assert "verification" not in study.join().standing()["tasks"]


def test_who_withdraws_takes_a_question_along_that_was_planted(tmp_path: Path):
    more = ALONE.replace("traps = 0", "traps = 100\nverify = 'all'")
    with serving(write_study(tmp_path, "qaconv", more)) as study:
        written(study, QUESTION, "Monday")
        planted = "Which part of the Lantern House leaks badly now?"
        leaving = written(study, planted, "roof", "Roof")
        socket = study.join().begin("verification")
        assert socket.view["question"] == planted
        socket.act("judge", option="B")
        socket.until_end()
        assert leaving.post("withdraw", {"confirmed": True}).status_code == 204
        assert "Lantern House leaks" not in study.admin("GET", "exports/records").text.replace(
            "The roof of the Lantern House leaks",
            "",  # the corpus' own words
        )
