from dataclasses import replace
from datetime import timedelta

import pytest

from seminar.collection.pay.ledger import Entry
from seminar.collection.records import StudyRecords, Turn
from seminar.collection.reports.incentives import arm_rows, incentives
from tests.collection.small_studies import NOON, dialog, pragmaticqa_study

TOPIC = "topic selection"


def study() -> StudyRecords:
    """With the technique 2 questions in 600 s and 4 in 800 s; without 2 in 400 s, and one empty."""
    base = pragmaticqa_study()
    answer = base.turns[0].answer
    dialogs, turns = [], []
    for name, on, count, seconds in (
        ("a", True, 2, 600),
        ("b", True, 4, 800),
        ("c", False, 2, 400),
        ("d", False, 0, 30),
    ):
        ended = NOON + timedelta(seconds=seconds)
        dialogs.append(dialog(name, "pragmaticqa", "singers", ended=ended, arms={TOPIC: on}))
        turns += [Turn(name, number, "?", answer, NOON, NOON) for number in range(1, count + 1)]
    dialogs.append(dialog("e", "pragmaticqa", "singers", practice=True, arms={TOPIC: True}))
    pay = tuple(
        Entry(f"a/{worker}", worker, "base", 150, "USD", NOON, "a") for worker in ("ann", "bob")
    )
    return replace(base, dialogs=tuple(dialogs), turns=tuple(turns), pay=pay)


def test_rows_are_as_seminar_analyze_takes_them():
    rows = list(arm_rows(study()))
    assert rows[0] == {
        "arms": {TOPIC: True},
        "questions": 2,
        "ratings": [],
        "seconds": 600.0,
        "pay": 3.0,
    }
    assert rows[3] == {"arms": {TOPIC: False}, "questions": 0, "ratings": []}
    assert len(rows) == 4


def test_table_3_with_and_without_the_technique():
    frame = incentives(study()).frame
    on, off = (row for _, row in frame.iterrows())
    assert (on["arm"], on["on"], on["dialogs"], on["non-empty"]) == (TOPIC, "yes", 2, 2)
    # 300 and 200 seconds a question: mean 250; standard deviation 70.71, half width 1.96 · 50
    assert on["seconds / QA"] == pytest.approx(250)
    assert on["± seconds / QA"] == pytest.approx(98.0, abs=0.01)
    assert on["QAs / non-empty dialog"] == pytest.approx(3)
    assert (off["on"], off["dialogs"], off["non-empty"]) == ("no", 2, 1)
    assert off["seconds / QA"] == pytest.approx(200)
    # empty dialogs count here: 2 and 0
    assert off["QAs / dialog"] == pytest.approx(1)
    assert off["± QAs / dialog"] == pytest.approx(1.96 * 2**0.5 / 2**0.5, abs=0.001)
