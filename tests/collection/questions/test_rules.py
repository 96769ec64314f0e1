import pytest

from seminar.collection.questions.rules import RULES, broken_rules

SOURCE = "Ada: The US ferry leaves at nine, and the key hangs behind the clock."
GOOD = ("Where does the key hang, according to Ada?", "behind the clock")
WORDS = "more than 6 words in the question"
PERSON = "no first or second person"


def test_a_good_question_breaks_no_rule():
    assert broken_rules(*GOOD, SOURCE) == ()


@pytest.mark.parametrize(
    ("question", "answer", "broken"),
    [
        ("Where does the old key hang?", "behind the clock", WORDS),
        ("Where does the old key hang now?", "behind the clock", None),
        ("Where does the key hang, according to Ada", "clock", "a question mark at its end"),
        ("Where does the key hang, if I may ask?", "clock", PERSON),
        ("Where does the key hang, if you're asking?", "clock", PERSON),
        ("Where does the key hang according to Ada?", "my clock", PERSON),
        ("Which country's ferry leaves at nine, according to Ada?", "the US", None),
        (GOOD[0], " .", "an answer"),
        (GOOD[0], "the " * 19, None),
        (GOOD[0], "the " * 20, "less than 20 words in the answer"),
        (GOOD[0], "behind the door", "all words of the answer in the source"),
    ],
)
def test_each_rule_is_named_by_what_breaks_it(question: str, answer: str, broken: str | None):
    failed = broken_rules(question, answer, SOURCE)
    assert (broken in failed) if broken else (failed == ())


def test_all_rules_have_names():
    assert broken_rules("You?", "", SOURCE) == (WORDS, PERSON, "an answer")
    assert len(RULES) == 6
