import pytest

from seminar.reading.polarity import asks_yes_or_no


@pytest.mark.parametrize(
    "question",
    [
        "Is there a lift?",
        "and does that include meals",
        "But isn’t it free?",
        "Can I keep a cat in any of the halls?",
        "Do you sell tickets on board?",
        "Did she know the captain?",
        "Must we book?",
    ],
)
def test_polar_question_asks_yes_or_no(question: str):
    assert asks_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "When is it open?",
        "Could you please tell me the fare?",
        "Do you know the captain's name?",
        "May I ask for the fare?",
        "Is it the old hall or the new one?",
        "Did they say why?",
        "The lift?",
        "Island life?",
        "",
    ],
)
def test_other_question_does_not_ask_yes_or_no(question: str):
    assert not asks_yes_or_no(question)
