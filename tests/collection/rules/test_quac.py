from datetime import UTC, datetime

import pytest

from seminar.collection.records import CorpusSpan, SpanAnswer, Turn
from seminar.collection.rules.quac import end_of, unanswerable

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SPAN = CorpusSpan("page", 0, 4, "Oslo")


def turns(answerable: str) -> list[Turn]:
    return [
        Turn("d", number, "?", SpanAnswer(SPAN if mark == "y" else None, "maybe", "neither"),
             NOON, NOON)
        for number, mark in enumerate(answerable, start=1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answerable", "end"),
    [
        ("", ""),
        ("yyyyyyyyyyy", ""),
        ("yyyyyyyyyyyy", "limit"),
        ("nyn", ""),
        ("nynyn", "unanswerable"),
    ],
)
def test_the_end_of_a_dialog(answerable: str, end: str):
    assert end_of(turns(answerable)) == end


def test_a_study_may_have_other_limits():
    assert end_of(turns("yy"), most=2) == "limit"
    assert end_of(turns("yn"), most_unanswerable=0) == "unanswerable"
    assert unanswerable(turns("nyn")) == 2
