import pytest

from seminar.analysis.arms import by_arm
from seminar.errors import DatasetError

DIALOGS = [
    {"arms": {"topic selection": True}, "questions": 6, "seconds": 1800, "pay": 3.0,
     "ratings": [1, 2]},
    {"arms": {"topic selection": True}, "questions": 4, "seconds": 1600, "pay": 2.0,
     "ratings": [1]},
    {"arms": {"topic selection": True}, "questions": 0},
    {"arms": {"topic selection": False}, "questions": 5, "seconds": 1000, "pay": 2.5},
]  # fmt: skip


def test_time_length_pay_and_ratings_by_arm():
    on, off = by_arm(DIALOGS).frame.to_dict("records")
    assert (on["dialogs"], on["non-empty"]) == (3, 2)
    assert on["seconds / QA"] == 350  # 300 and 400
    assert on["QAs / non-empty dialog"] == 5
    assert on["QAs / dialog"] == pytest.approx(10 / 3)
    assert on["pay / QA"] == 0.5
    assert on["rating"] == 1.25  # 1.5 and 1
    assert off["seconds / QA"] == 200
    # Half the width of the interval of 300 and 400: 1.96 × 70.71 / √2.
    assert on["± seconds / QA"] == pytest.approx(1.959964 * 50)


def test_dialogs_without_arms_lack_the_table():
    assert by_arm([]).lacks


def test_a_bad_number_is_named():
    with pytest.raises(DatasetError, match="pairs:1: questions: expected a number"):
        by_arm([{"arms": {"a": True}, "questions": "many"}], "pairs")
