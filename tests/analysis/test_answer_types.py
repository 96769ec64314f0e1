import pandas as pd
import pytest

from seminar.analysis.answer_types import answer_type, type_shares


@pytest.mark.parametrize(
    ("answer", "asked", "expected"),
    [
        # QAConv's own examples, table 5
        ("with 'syntax-local-lift-module'", "", "Prepositional Phrase"),
        ("$250,000", "", "Monetary values"),
        ("need to use an external store for state", "", "Clause"),
        ("Chicago", "", "Countries, cities, states"),
        ("page 66, volume 4", "", "Other Numeric"),
        ("2020", "", "Dates"),
        ("Drug Enforcement Authority", "", "Organizations"),
        ("Tommy Norment", "", "People, including fictional"),
        ("the red house", "", "Noun Phrase"),
        # what the question settles
        ("Ada", "Who built it?", "People, including fictional"),
        ("Lindmere", "Where was it built?", "Countries, cities, states"),
        ("Yes", "Did it burn?", "Yes or no"),
        ("", "", "No answer"),
        ("in May 1871", "", "Dates"),
        ("three boats", "", "Other Numeric"),
    ],
)
def test_types_of_answers(answer: str, asked: str, expected: str):
    assert answer_type(answer, asked=asked) == expected


def test_shares_are_largest_first():
    table = type_shares(pd.Series(["2020", "1871", "Chicago"]), pd.Series(["", "", ""]))
    assert table.to_numpy().tolist() == [
        ["Dates", 2, pytest.approx(200 / 3)],
        ["Countries, cities, states", 1, pytest.approx(100 / 3)],
    ]
