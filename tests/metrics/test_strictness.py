import math

import pytest

from seminar.errors import ScoringError
from seminar.metrics.strictness import average, check_some, check_text, name_some


def test_an_average_over_nothing():
    assert math.isnan(average(0.0, 0, strict=False))
    with pytest.raises(ZeroDivisionError):
        average(0.0, 0, strict=True)


def test_the_first_few_ids_are_named():
    assert name_some("abcdefg") == "'a', 'b', 'c', 'd', 'e' and 2 more"


def test_what_is_wrong_is_named_in_either_mode():
    with pytest.raises(ScoringError, match="no turns to score"):
        check_some([], "turns", strict=False)
    with pytest.raises(TypeError, match=r"it is 3 \(int\)"):
        check_text(3, "it", strict=True, official=TypeError)
