import pytest

from seminar.writing.facts import facts_of, lacks_names, numbers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("3.50", "3.5"),
        ("twenty-one", "21"),
        ("the 2nd", "two"),
        ("20:00", "20:00"),
    ],
)
def test_numbers_are_compared_by_their_value(one: str, other: str):
    assert numbers(one) == numbers(other)


@pytest.mark.parametrize(("one", "other"), [("3.5", "35"), ("1979", "1981"), ("no one", "1")])
def test_other_numbers_differ(one: str, other: str):
    assert numbers(one) != numbers(other)


def test_facts_of_a_sentence():
    facts = facts_of("On Monday Ann Lee can't reach https://a.example/x, or lee@a.example.")
    assert facts.names >= {"monday", "ann", "lee"}
    assert facts.addresses == {"https://a.example/x", "lee@a.example"}
    assert facts.denies


def test_a_name_is_found_in_its_other_forms():
    assert lacks_names(frozenset({"larkholm", "brennan"}), "Larkholm's mayor") == {"brennan"}
