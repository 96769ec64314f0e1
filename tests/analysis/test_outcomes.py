import math

import pytest

from seminar.analysis import comparison, confidence, outcomes
from tests.analysis.corpus import AMBIGUOUS, EXAMPLES, FIRST, FRAME, SECOND

JOINED = outcomes.join(FRAME, {"first": FIRST, "second": SECOND})


def test_distance_from_the_answer_before():
    own = JOINED[JOINED["system"] == "first"].set_index("id")["distance"]
    assert own["a2"] == 1
    assert own["b2"] == 11
    assert math.isnan(own["a1"])  # there is none before
    assert math.isnan(own["a4"])  # the one before was no answer


def test_scores_by_turn_with_intervals_over_dialogs():
    table = outcomes.by_group(JOINED, "turn").set_index(["system", "turn"])
    assert table.loc[("first", 1), "score"] == 100
    assert table.loc[("second", 2), "score"] == 100
    assert table.loc[("first", 4), "score"] == 50
    assert math.isnan(table.loc[("first", 4), "low"])  # one dialog has no interval


def test_interval_has_dialogs_as_units():
    own = JOINED[JOINED["system"] == "first"]
    mean, low, high = outcomes.interval(own["score"], own["dialogue"])
    # Sums of scores 1.5 and 1, of questions 3 and 2: both dialogs have the mean of all.
    assert mean == low == high == 0.5


def test_summary_of_systems():
    table = outcomes.summary(JOINED).set_index("system")
    assert table["score"].to_dict() == {"first": 50, "second": 80}
    assert table["ms / question"].to_dict() == {"first": 250, "second": 250}


def test_answer_sets_count_with_the_annotator_of_the_best_f1():
    given = [
        outcomes.Outcome("m1", "", 0, answers=("ada", "bob")),
        outcomes.Outcome("m2", "", 0, answers=("1871",)),
    ]
    [row] = outcomes.answer_sets(AMBIGUOUS, {"one": given}).to_dict("records")
    # m1: against both readings P 1/2, R 1/2; against one reading P 1/2, R 1, F1 2/3.
    assert row["F1"] == pytest.approx(100 * (2 / 3 + 1) / 2)
    assert row["precision"] == pytest.approx(75)
    assert row["recall"] == pytest.approx(100)
    assert row["answers"] == 1.5


def test_paired_bootstrap_counts_wins_and_losses():
    [row] = comparison.paired_bootstrap(JOINED).to_dict("records")
    assert row["second − first"] == pytest.approx(30)
    assert (row["second wins"], row["second loses"], row["equal"]) == (2, 1, 2)
    assert row["low"] <= 30 <= row["high"]
    assert 0 < row["p"] <= 1


def test_kinds_need_twenty_questions():
    assert comparison.wins_by_kind(JOINED).empty


def test_wins_by_kind(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(comparison, "LEAST", 2)
    table = comparison.wins_by_kind(JOINED)
    by_type = table[table["by"] == "question type"].set_index("kind")
    assert by_type.loc["what"].to_dict() | {"mean gap": 0} == by_type.loc["what"].to_dict()
    assert by_type.loc["what", "questions"] == 2


def test_errors_come_worst_first_with_all_that_explains_them():
    rows = comparison.error_rows(EXAMPLES, {"first": FIRST, "second": SECOND}, limit=3)
    assert [row["id"] for row in rows] == ["a2", "a4", "b2"]
    assert rows[0]["history"] == [["q1", "word00abc"]]
    assert rows[0]["gold"] == ["word01abc"]
    assert [one["score"] for one in rows[0]["predictions"]] == [0, 100]
    assert "word01abc" in rows[0]["evidence"]


def test_risk_rises_as_less_sure_answers_are_given():
    table = confidence.risk_coverage(JOINED)
    assert table["coverage %"].tolist() == pytest.approx([20, 40, 60, 80, 100])
    # By confidence the scores are 1, 0, 1, 0.5, 0.
    assert table["risk %"].tolist() == pytest.approx([0, 50, 100 / 3, 37.5, 50])


def test_calibration_by_tenths_of_confidence():
    table = confidence.calibration(JOINED).set_index("bin")
    assert table["questions"].to_dict() == {1: 1, 2: 1, 7: 1, 8: 1, 9: 1}
    assert table.loc[2, "score %"] == 50
    [row] = confidence.summary(JOINED).to_dict("records")
    assert row["calibration error %"] == pytest.approx((10 + 30 + 30 + 80 + 10) / 5)
    assert row["area under risk-coverage %"] == pytest.approx((0 + 50 + 100 / 3 + 37.5 + 50) / 5)
