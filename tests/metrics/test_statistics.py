import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.errors import ScoringError
from seminar.metrics.statistics import Interval, bootstrap_interval, paired_randomisation

scores = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5)), min_size=1, max_size=30)


@settings(deadline=None, max_examples=40)
@given(scores)
def test_an_interval_lies_within_the_scores_and_repeats(pairs: list[tuple[float, int]]):
    values, dialogs = zip(*pairs, strict=True)
    one = bootstrap_interval(values, dialogs, rounds=200, seed=3)
    assert one == bootstrap_interval(values, dialogs, rounds=200, seed=3)
    slack = 1e-9
    assert min(values) - slack <= one.low <= one.high <= max(values) + slack
    assert one.mean == pytest.approx(np.mean(values))


@settings(deadline=None, max_examples=40)
@given(scores)
def test_a_system_doesnt_differ_from_itself(pairs: list[tuple[float, int]]):
    values, dialogs = zip(*pairs, strict=True)
    same = paired_randomisation(values, values, dialogs, rounds=100)
    assert (same.difference, same.p_value) == (0.0, 1.0)


@settings(deadline=None, max_examples=40)
@given(scores, st.integers(0, 100))
def test_swapping_the_systems_turns_the_difference_round(pairs, seed):
    values, dialogs = zip(*pairs, strict=True)
    other = [1 - value for value in values]
    one = paired_randomisation(values, other, dialogs, rounds=100, seed=seed)
    two = paired_randomisation(other, values, dialogs, rounds=100, seed=seed)
    assert one.difference == pytest.approx(-two.difference)
    assert one.p_value == two.p_value
    assert 0 < one.p_value <= 1


def test_one_dialog_leaves_nothing_to_draw():
    assert bootstrap_interval([0.0, 1.0], ["d", "d"]) == Interval(mean=0.5, low=0.5, high=0.5)


def test_questions_of_one_dialog_dont_make_an_interval_narrower():
    chance = np.random.default_rng(1)
    by_dialog = chance.random(50)
    copied = np.repeat(by_dialog, 8)
    alone = bootstrap_interval(by_dialog, range(50))
    together = bootstrap_interval(copied, np.repeat(np.arange(50), 8).tolist())
    by_question = bootstrap_interval(copied, range(400))
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high))
    assert by_question.high - by_question.low < (alone.high - alone.low) / 2


def test_an_interval_holds_the_truth_about_as_often_as_it_says():
    chance = np.random.default_rng(2)
    held = 0
    for trial in range(200):
        mean_of_dialog = chance.normal(0.5, 0.2, size=40)
        values = np.repeat(mean_of_dialog, 5) + chance.normal(0, 0.1, size=200)
        dialogs = np.repeat(np.arange(40), 5).tolist()
        interval = bootstrap_interval(values, dialogs, rounds=400, seed=trial)
        held += interval.low <= 0.5 <= interval.high
    assert 0.88 <= held / 200 <= 0.99


def test_a_steady_gain_is_significant_and_one_dialog_never_is():
    worse, better = [0.0] * 20, [1.0] * 20
    steady = paired_randomisation(worse, better, range(20))
    assert (steady.difference, steady.p_value < 0.001) == (1.0, True)
    assert paired_randomisation(worse, better, ["d"] * 20).p_value == 1.0


def test_chance_alone_is_rarely_significant():
    chance = np.random.default_rng(4)
    significant = sum(
        paired_randomisation(chance.random(60), chance.random(60), range(60), rounds=200).p_value
        < 0.05
        for _ in range(200)
    )
    assert significant <= 22


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval([], []), "no scores"),
        (lambda: bootstrap_interval([1.0], []), "1 scores but 0 names of dialogs"),
        (lambda: bootstrap_interval([float("nan")], ["d"]), "score 0 is nan"),
        (lambda: bootstrap_interval([1.0], ["d"], confidence=95), "not 95"),
        (lambda: bootstrap_interval([1.0], ["d"], rounds=0), "not 0"),
        (lambda: paired_randomisation([1.0], [], ["d"]), "1 scores of one system but 0"),
    ],
)
def test_what_cant_be_drawn_from_is_an_error(call, message):
    with pytest.raises(ScoringError, match=message):
        call()
