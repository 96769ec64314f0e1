import math

import pytest

from seminar.logistic import probability


def test_even_odds_are_a_half_and_opposite_odds_add_up():
    assert probability(0.0) == 0.5
    assert probability(math.log(3)) == pytest.approx(0.75)
    assert probability(1.7) + probability(-1.7) == pytest.approx(1.0)


@pytest.mark.parametrize("odds", [1e6, math.inf])
def test_no_odds_overflow(odds: float):
    assert probability(odds) == pytest.approx(1.0)
    assert 0.0 < probability(-odds) < 1e-20
