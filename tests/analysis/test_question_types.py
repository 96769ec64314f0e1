import pandas as pd
import pytest

from seminar.analysis.question_types import first_word_shares, is_polar, prefix, prefix_counts
from tests.analysis.corpus import FRAME


def test_first_words_with_their_shares():
    table = first_word_shares(FRAME["question"], top=2)
    assert table.to_dict("records") == [
        {"first word": "what", "questions": 2, "share %": pytest.approx(200 / 7)},
        {"first word": "did", "questions": 1, "share %": pytest.approx(100 / 7)},
        {"first word": "Other", "questions": 4, "share %": pytest.approx(400 / 7)},
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which year?", ("which", "year")),
        ("Is it known who built it?", ("who", "built", "it")),  # a WH-word before an auxiliary
        ("Was it big", ("was", "it", "big")),
        ("What’s new?", ("what", "'s", "new")),
        ("", ("OTHER",)),
    ],
)
def test_prefix_by_appendix_d(question: str, expected: tuple[str, ...]):
    assert prefix(question) == expected


def test_rare_prefixes_are_counted_under_the_shorter_one():
    questions = pd.Series(["what is a"] * 6 + ["what is b"] * 3 + ["what was a", "who won"])
    table = prefix_counts(questions, depth=3, least=0.3)
    rows = table[["word 1", "word 2", "word 3", "questions"]].to_numpy().tolist()
    assert rows == [
        ["what", "is", "a", 6],
        ["what", "…", "", 4],
        ["who", "…", "", 1],
    ]
    assert table["share %"].sum() == pytest.approx(100)


@pytest.mark.parametrize(
    ("question", "polar"),
    [
        ("Did he win?", True),
        ("And is she married?", True),
        ("Didn't he win?", True),
        ("Was it red or blue?", False),
        ("How did he win?", False),
        ("Name one.", False),
    ],
)
def test_questions_for_yes_or_no(question: str, polar: bool):
    assert is_polar(question) is polar
