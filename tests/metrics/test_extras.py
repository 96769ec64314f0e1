import pytest

from seminar.errors import MissingExtraError
from seminar.metrics.extras import require


def test_a_missing_package_says_how_to_install_it():
    with pytest.raises(MissingExtraError, match=r"pip install 'seminar\[evaluate\]'"):
        require("a_package_that_nobody_wrote")


def test_an_installed_one_is_given():
    assert require("math").sqrt(4) == 2.0
