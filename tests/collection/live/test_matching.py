"""Who is paired with whom, about what."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from seminar.collection.corpus.records import Corpus
from seminar.collection.corpus.storing import write_corpus
from seminar.collection.live.matching import StudySoFar, Waiting, match
from seminar.collection.records import Dialog, Flag, Seat
from seminar.collection.study.loading import Study, load_study
from tests.collection.small_corpus import START, TIDE
from tests.collection.studies import write_study

NOTHING = StudySoFar([], [])


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    file = write_study(tmp_path_factory.mktemp("quac"), "quac", "[quotas]\nper_subject = 1\n")
    write_corpus(file.parent / "corpus", Corpus(pages=(TIDE,)))
    return load_study(file)


def waiting(*workers: str, role: str = "") -> list[Waiting]:
    return [Waiting(worker, role, START) for worker in workers]


def dialog(subject: str, *workers: str, **fields: object) -> Dialog:
    seats = tuple(
        Seat(role, worker) for role, worker in zip(("student", "teacher"), workers, strict=False)
    )
    return Dialog(f"d-{subject}", "quac", "dialog", subject, seats, START, **fields)


def pairs(dialogs: list[Dialog]) -> list[set[str]]:
    return [{seat.worker for seat in one.seats} for one in dialogs]


def test_those_who_have_waited_longest_are_paired_first(study: Study):
    assert pairs(match(study, waiting("a", "b", "c"), NOTHING, START)) == [{"a", "b"}]


def test_nobody_is_paired_with_themselves(study: Study):
    assert match(study, waiting("a", "a"), NOTHING, START) == []


def test_wished_roles_are_kept(study: Study):
    people = [*waiting("a", "b", role="teacher"), *waiting("c", role="student")]
    [begun] = match(study, people, NOTHING, START)
    assert begun.seats == (Seat("student", "c"), Seat("teacher", "a"))


def test_pair_of_whom_one_reported_the_other_is_kept_apart(study: Study):
    flag = Flag("f", "report", "a", START, by="b")
    so_far = StudySoFar([], [flag])
    assert match(study, waiting("a", "b"), so_far, START) == []
    assert pairs(match(study, waiting("a", "b", "c"), so_far, START)) == [{"a", "c"}]


def test_subject_is_new_to_both_and_used_once(study: Study):
    so_far = StudySoFar([dialog("tide#0", "x", "a", state="ended")], [])
    [begun] = match(study, waiting("a", "b"), so_far, START)
    assert begun.subject == "tide#1"
    so_far = StudySoFar([dialog("tide#0", "x", "y", kept=True, state="ended")], [])
    assert [one.subject for one in match(study, waiting("a", "b"), so_far, START)] == ["tide#1"]
    two = match(study, waiting("a", "b", "c", "d", "e", "f"), NOTHING, START)
    assert {one.subject for one in two} == {"tide#0", "tide#1"}


def test_who_asked_in_a_dialog_that_ended_before_its_first_turn_may_ask_again(study: Study):
    left = [
        dialog(f"tide#{number}", "a", f"x{number}", state="ended", reason="left")
        for number in (0, 1)
    ]
    assert pairs(match(study, waiting("a", "b"), StudySoFar(left, []), START)) == [{"a", "b"}]
    assert match(study, waiting("x0", "x1"), StudySoFar(left, []), START) == []
    begun = [replace(one, turns=1) for one in left]
    assert match(study, waiting("a", "b"), StudySoFar(begun, []), START) == []


def test_discarded_dialog_leaves_its_subject_to_others(study: Study):
    so_far = StudySoFar(
        [dialog(f"tide#{number}", "x", "y", state="ended") for number in (0, 1)], []
    )
    assert len(match(study, waiting("a", "b"), so_far, START)) == 1


def test_topic_is_the_one_that_one_wants_to_teach_and_the_other_to_learn(tmp_path: Path):
    study = load_study(write_study(tmp_path, "pragmaticqa"))
    people = [
        Waiting("a", "", START, {"music": 2}),
        Waiting("b", "", START, {"music": 1}),
        Waiting("c", "", START, {"music": -2}),
    ]
    [begun] = match(study, people, NOTHING, START + timedelta(seconds=1))
    assert begun.seats == (Seat("student", "c"), Seat("teacher", "a"))
    assert begun.subject == "music"


def test_no_more_dialogs_begin_than_are_wanted(tmp_path: Path):
    file = write_study(tmp_path, "quac", "[quotas]\nper_subject = 0\ndialogs = 2\n")
    study = load_study(file)
    so_far = StudySoFar([dialog("tide#0", "x", "y", kept=True, state="ended")], [])
    assert len(match(study, waiting("a", "b", "c", "d"), so_far, START)) == 1
