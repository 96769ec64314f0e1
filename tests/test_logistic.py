import math

import numpy as np
import pytest

from seminar.logistic import (
    fit_logistic,
    fit_logistic_with_bias,
    fit_softmax,
    probabilities,
    probability,
    softmax,
)

# A bias and two features of six examples, four of which a line can separate.
TABLE = np.array(
    [[1, 0.2, -1.0], [1, 1.5, 0.3], [1, -0.7, 0.8], [1, 0.9, 1.1], [1, -1.2, -0.4], [1, 0.1, 0.6]]
)
LABELS = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])


def test_even_odds_are_a_half_and_opposite_odds_add_up():
    assert probability(0.0) == 0.5
    assert probability(math.log(3)) == pytest.approx(0.75)
    assert probability(1.7) + probability(-1.7) == pytest.approx(1.0)


@pytest.mark.parametrize("log_odds", [1e6, math.inf])
def test_no_odds_overflow(log_odds: float):
    assert probability(log_odds) == pytest.approx(1.0)
    assert 0.0 < probability(-log_odds) < 1e-20
    assert probabilities(np.array([log_odds, -log_odds])) == pytest.approx([1.0, 0.0])


def test_softmax_of_each_row_adds_up_to_one():
    assert softmax(np.log([[6.0, 1.0, 3.0]]))[0] == pytest.approx([0.6, 0.1, 0.3])
    assert softmax(np.zeros((0, 3))).shape == (0, 3)


def test_regression_of_two_points():
    # By symmetry b = -w/2, and the gradient vanishes where w = 1 - 1/(1 + exp(-w/2)): 0.44465.
    table = np.array([[0.0], [1.0]])
    weights, bias = fit_logistic_with_bias(table, np.array([0.0, 1.0]))
    assert weights[0] == pytest.approx(0.44465, abs=1e-5)
    assert bias == pytest.approx(-0.22232, abs=1e-5)


def test_equal_labels_give_a_high_bias_and_no_weight():
    weights, bias = fit_logistic_with_bias(np.array([[0.0], [1.0]]), np.array([1.0, 1.0]))
    assert bias > 5
    assert abs(weights[0]) < 0.01


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [(1.0, [-0.14857229, 0.94406675, 0.62147681]), (0.01, [-0.82930138, 6.44165361, 3.7173707])],
)
def test_every_weight_is_penalised_alike(penalty: float, expected: list[float]):
    assert fit_logistic(TABLE, LABELS, penalty=penalty) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("penalty", "expected", "expected_bias"),
    [(1.0, [0.95118299, 0.64342073], -0.28110867), (0.1, [2.58762525, 1.75061324], -0.66768809)],
)
def test_a_bias_is_not_penalised(penalty: float, expected: list[float], expected_bias: float):
    weights, bias = fit_logistic_with_bias(TABLE[:, 1:], LABELS, penalty=penalty)
    assert weights == pytest.approx(expected, abs=1e-7)
    assert bias == pytest.approx(expected_bias, abs=1e-7)


def test_softmax_weights_of_three_classes():
    classes = np.eye(3)[[0, 1, 2, 1, 0, 0]]
    assert fit_softmax(TABLE, classes, penalty=3.0) == pytest.approx(
        np.array(
            [
                [0.24365888, -0.05238785, -0.19127103],
                [-0.22618156, 0.44513051, -0.21894895],
                [-0.30273572, 0.18037877, 0.12235695],
            ]
        ),
        abs=1e-6,
    )


def test_softmax_of_a_bias_alone_gives_the_shares_of_the_labels():
    classes = np.eye(3)[[0] * 6 + [1] + [2] * 3]
    weights = fit_softmax(np.ones((10, 1)), classes, penalty=1e-6)
    assert softmax(weights)[0] == pytest.approx([0.6, 0.1, 0.3], abs=1e-3)


def test_softmax_weights_follow_a_feature_that_decides():
    table = np.array([[1.0, float(at % 2)] for at in range(40)])
    classes = np.eye(3)[[2 if at % 2 else 0 for at in range(40)]]
    weights = fit_softmax(table, classes, penalty=0.1)
    assert (table[:2] @ weights).argmax(axis=1).tolist() == [0, 2]
