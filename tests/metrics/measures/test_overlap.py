from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminar.errors import ScoringError
from seminar.metrics.measures.overlap import (
    TurnScore,
    bag,
    bag_f1,
    f1,
    f1_agreeing,
    leave_one_out,
    score_humans,
    score_turn,
)

words = st.lists(st.sampled_from("vwxyz"), max_size=8)


def counted_f1(predicted: list[str], expected: list[str]) -> float:
    shared = sum((Counter(predicted) & Counter(expected)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(expected)
    return (2 * precision * recall) / (precision + recall)


@given(words, words)
def test_f1_counts_what_is_shared_with_multiplicity(predicted: list[str], expected: list[str]):
    assert bag_f1(bag(predicted), bag(expected)) == counted_f1(predicted, expected)


@given(words, words)
def test_f1_is_symmetric_to_the_last_bit(predicted: list[str], expected: list[str]):
    assert bag_f1(bag(predicted), bag(expected)) == bag_f1(bag(expected), bag(predicted))


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_leave_one_out_is_the_mean_of_the_best_of_the_others(scores: list[float]):
    best = [max(scores[:i] + scores[i + 1 :]) for i in range(len(scores))]
    assert leave_one_out(scores) == sum(best) / len(best)


def test_two_of_five_tokens_reach_the_threshold_of_people():
    assert f1("p q r s t", "p q x y z") == 0.4000000000000001


def test_two_empty_answers_agree_only_in_the_later_datasets():
    assert (f1("the", "..."), f1_agreeing("the", "...")) == (0.0, 1.0)


def test_one_empty_answer_never_agrees():
    assert (f1_agreeing("the", "x"), f1_agreeing("x", "")) == (0.0, 0.0)


def test_an_answer_equal_to_one_of_four_unlike_references_gets_three_quarters():
    assert score_turn("p", ["p", "q", "r", "s"]) == TurnScore(exact=0.75, f1=0.75)


def test_a_lone_reference_counts_plainly():
    assert score_turn("the p q", ["p"]) == TurnScore(exact=0.0, f1=2 / 3)


def test_people_are_scored_against_each_other():
    assert score_humans(["p q", "p", "p q"]) == TurnScore(exact=2 / 3, f1=(1 + 2 / 3 + 1) / 3)


def test_people_cant_be_scored_alone():
    with pytest.raises(ScoringError, match="this turn has 1"):
        score_humans(["p"])


def test_strict_scoring_stops_as_the_official_programs_do():
    with pytest.raises(ValueError, match="without references"):
        score_turn("p", [], strict=True)
    with pytest.raises(AttributeError, match="NoneType"):
        score_turn("p", [None], strict=True)
    with pytest.raises(SystemExit):
        score_humans(["p"], strict=True)


def test_the_default_says_which_value_is_wrong():
    with pytest.raises(ScoringError, match=r"the prediction is 7 \(int\); expected a string"):
        score_turn(7, ["p"])
