import numpy as np
import pytest

from seminar.training.fitting.grounding import Pair, features, least_probability

TEXT = "The ferry crosses in 55 minutes. Dogs travel free."


@pytest.mark.parametrize(("precision", "least"), [(1.0, 0.8), (0.75, 0.5), (0.6, 0.4)])
def test_the_bar_is_the_lowest_that_is_precise_enough(precision: float, least: float):
    chances, labels = np.array([0.4, 0.9, 0.6, 0.5, 0.8]), np.array([0.0, 1.0, 0.0, 1.0, 1.0])
    assert least_probability(chances, labels, precision) == least


def test_features_of_pairs_that_are_true_and_false():
    pairs = [
        Pair("made", "The ferry crosses in 55 minutes.", TEXT, True),
        Pair("made", "The ferry does not cross in 20 minutes.", TEXT, False),
    ]
    table, labels, stand = features(pairs, "span")
    assert table.shape == (2, 7)
    assert (labels.tolist(), stand.tolist()) == ([1.0, 0.0], [1.0, 0.0])
    assert table[0, 3] > table[1, 3]  # in order
    assert table[:, 4].tolist() == [0.0, 1.0]  # denial
