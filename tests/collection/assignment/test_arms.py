import random
from datetime import UTC, datetime

import pytest

from seminar.collection.assignment.arms import FLOOR, assign, probability
from seminar.collection.records import Dialog, Seat

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def dialog(on: bool, outcome: str = "kept", workers: tuple[str, ...] = ("x", "y")) -> Dialog:
    return Dialog(
        id="d",
        protocol="pragmaticqa",
        task="dialog",
        subject="topic",
        seats=tuple(Seat("student", worker) for worker in workers),
        began=NOON,
        state="live" if outcome == "live" else "ended",
        kept=outcome == "kept",
        reason="not qualified" if outcome == "failed the test" else "",
        turns={"kept": 6, "broken": 3}.get(outcome, 0),
        arms={"test": on},
    )


def test_at_the_target_the_probability_is_the_target():
    assert probability("test", [dialog(True)] * 8 + [dialog(False)] * 2) == pytest.approx(0.8)


def test_a_shortfall_is_made_up():
    # 7 of 10 instead of 8: one short, over 10 dialogs
    assert probability("test", [dialog(True)] * 7 + [dialog(False)] * 3) == pytest.approx(0.9)
    assert probability("test", [dialog(True)] * 9 + [dialog(False)]) == pytest.approx(0.7)


def test_neither_side_is_certain():
    assert probability("test", [dialog(False)] * 50) == 1 - FLOOR
    assert probability("test", [dialog(True)] * 99) == FLOOR


def test_broken_off_dialogs_do_not_count_as_completed():
    ended = [dialog(True, "broken")] * 6
    assert probability("test", ended) == pytest.approx(0.8)


def test_live_dialogs_count_by_how_often_their_side_is_completed():
    # with it: 4 of 8 completed, so 4 live ones count (4 + 1) / (8 + 2) each, 2 together
    before = [dialog(True)] * 4 + [dialog(True, "broken")] * 4 + [dialog(False)] * 2
    live = [dialog(True, "live")] * 4
    assert probability("test", before) == pytest.approx(0.8 + (0.8 * 6 - 4) / 10)
    assert probability("test", before + live) == pytest.approx(0.8 + (0.8 * 8 - 6) / 10)


def test_techniques_are_counted_apart():
    assert probability("other", [dialog(True)] * 9) == pytest.approx(0.8)


@pytest.mark.parametrize("on", [True, False])
def test_who_left_at_once_gets_the_same_again(on: bool):
    past = [dialog(not on, workers=("ann", "bob")), dialog(on, "empty", ("ann", "cem"))]
    drawn = {assign("test", past, ["ann", "bob"], chance=random.Random(n)) for n in range(40)}
    assert drawn == {on}


def test_after_a_completed_dialog_it_is_drawn_again():
    past = [dialog(True, "empty", ("ann", "cem")), dialog(True, "kept", ("ann", "bob"))]
    drawn = [assign("test", past, ["ann", "bob"], chance=random.Random(n)) for n in range(200)]
    assert 130 < sum(drawn) < 180  # probability 0.78


def test_two_who_left_at_once_differently_are_drawn_for():
    past = [dialog(True, "empty", ("ann", "x")), dialog(False, "empty", ("bob", "y"))]
    drawn = {assign("test", past, ["ann", "bob"], chance=random.Random(n)) for n in range(40)}
    assert drawn == {True, False}


@pytest.mark.parametrize("outcome", ["broken", "failed the test"])
def test_after_some_turns_or_a_failed_test_it_is_drawn_again(outcome: str):
    past = [dialog(False, outcome, ("ann", "bob"))]
    drawn = {assign("test", past, ["ann", "bob"], chance=random.Random(n)) for n in range(40)}
    assert drawn == {True, False}
