import pytest

from seminar.errors import ScoringError
from seminar.metrics.official.pragmaticqa import (
    Spans,
    literal_f1,
    pragmatic_f1,
    pragmatic_f1_without,
    recall_all,
    recall_any,
    recall_share,
    score,
)


def test_repeating_the_literal_answer_is_not_pragmatic():
    gold = Spans(literal=["Wayne Manor"], pragmatic=["Wayne Manor, a stately home"])
    assert pragmatic_f1(Spans([], ["Wayne Manor"]), gold) == 0.0
    assert pragmatic_f1(Spans([], ["a stately home"]), gold) == 1.0


def test_one_literal_token_takes_off_one_occurrence():
    predicted, gold = Spans([], ["x x y"]), Spans(["x"], ["x x z"])
    assert pragmatic_f1(predicted, gold) == 0.5
    assert pragmatic_f1_without(predicted, gold) == 0.0


def test_the_predicted_literal_takes_nothing_off():
    gold = Spans(literal=["p"], pragmatic=["q"])
    assert pragmatic_f1(Spans(literal=["q"], pragmatic=["q"]), gold) == 1.0


def test_spans_are_one_bag():
    assert literal_f1(Spans(["x y", "z"], []), Spans(["z", "y the x"], [])) == 1.0


def test_nothing_on_either_side_is_zero():
    empty = Spans([], [])
    assert (literal_f1(empty, empty), pragmatic_f1(empty, empty)) == (0.0, 0.0)


def test_questions_count_alike():
    right, wrong = Spans(["x"], ["y"]), Spans(["z"], [])
    scores = score([(right, right), (wrong, right)])
    assert (scores.literal, scores.pragmatic) == (50.0, 50.0)


def test_recall_of_any_all_and_a_share():
    gold, retrieved = ["d1", "d2", "d1"], ["d1", "d3", "d2"]
    at_two = [recall(gold, retrieved, k=2) for recall in (recall_any, recall_all, recall_share)]
    assert at_two == [1.0, 0.0, 0.5]
    assert recall_all(gold, retrieved, k=3) == 1.0


def test_nothing_to_look_for_is_an_error():
    with pytest.raises(ScoringError, match="no gold passages"):
        recall_any([], ["d1"], k=1)
    with pytest.raises(ScoringError, match="no questions"):
        score([])
