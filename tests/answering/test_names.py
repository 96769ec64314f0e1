import pytest

from seminar.answering.names import names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In 1912 Maud Brennan founded it.", ["Maud Brennan"]),
        ("Rain fell on the roof.", []),
        ("Dr Nadia Ferreira leads it.", ["Dr Nadia Ferreira"]),
        ("She came to the School of Navigation.", ["School of Navigation"]),
        ("Of the School of Navigation nothing is left.", ["School of Navigation"]),
        ("It sails on Sundays in May.", ["Sundays"]),
        ("He saw Maud Brennan's boat.", ["Maud Brennan"]),
        ("", []),
    ],
)
def test_names_are_runs_of_capitals_that_do_not_only_begin_a_sentence(text: str, found: list[str]):
    assert names(text) == found
