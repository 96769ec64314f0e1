import pytest

from seminar.collection.records import RATINGS, CorpusSpan, PragmaticAnswer
from seminar.collection.rules.pragmaticqa import (
    answer_faults,
    is_complete,
    may_leave,
    rating_faults,
    rounds_left,
)

SPAN = CorpusSpan("page", 0, 4, "Oslo")


def test_both_may_leave_after_six_rounds():
    assert [may_leave(rounds) for rounds in (0, 5, 6, 7)] == [False, False, True, True]
    assert [is_complete(rounds) for rounds in (5, 6)] == [False, True]
    assert [rounds_left(rounds) for rounds in (0, 5, 6, 9)] == [6, 1, 0, 0]


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (PragmaticAnswer((SPAN,), None, (SPAN,), "In Oslo."), 0),
        (PragmaticAnswer((), "don't know", (SPAN,), "Not sure."), 0),
        (PragmaticAnswer((), None, (SPAN,), "In Oslo."), 1),
        (PragmaticAnswer((SPAN,), "yes", (SPAN,), "In Oslo."), 1),
        (PragmaticAnswer((SPAN,), None, (), "In Oslo."), 0),
        (PragmaticAnswer((), None, (), " "), 2),
        (PragmaticAnswer((), "perhaps", (SPAN,), "In Oslo."), 1),  # type: ignore[arg-type]
    ],
)
def test_an_answer_has_its_three_steps(answer: PragmaticAnswer, count: int):
    assert len(answer_faults(answer)) == count


def test_five_ratings_from_1_to_5():
    assert rating_faults(dict.fromkeys(RATINGS, 1)) == ()
    given = dict.fromkeys(RATINGS[1:], 5) | {RATINGS[1]: 6, "fun": 1}
    assert rating_faults(given) == (
        "rate 'natural'",
        "no rating is called 'fun'",
        "rating 'literal' is 6; it goes from 1 (best) to 5",
    )
