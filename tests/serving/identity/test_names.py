import pytest

from seminar.serving.identity.names import checked_name
from seminar.serving.problems import Problem


def test_a_name_is_composed_and_stripped():
    assert checked_name(" Zoe\u0301 ") == "Zoé"
    assert checked_name("ﬁn") == "fin"


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b", "a\nb", "a\u202eb", "a\u200bb"])
def test_a_name_that_misleads_is_a_problem(name: str):
    with pytest.raises(Problem):
        checked_name(name)
