import pytest

from seminar.questions.cues import cues
from seminar.questions.standalone import StandingAlone

FERRY = (
    ("How long does the ferry take?", "The crossing takes 55 minutes."),
    ("Why is it slower in winter?", "The ship follows the northern channel."),
)


def chance(question: str) -> float:
    return StandingAlone().chance(cues(question, FERRY))


def test_a_first_question_stands_alone():
    assert StandingAlone().chance(cues("Who is she?", ())) == 1.0


@pytest.mark.parametrize(
    "question",
    ["Who is she named after?", "Are there others?", "And in summer?", "What does that cost?"],
)
def test_a_question_that_leans_on_the_dialogue_does_not(question: str):
    assert chance(question) < 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Which telescope did Ines Calloway build for Larkholm observatory?",
        "How many storm petrels nest on Sallow Head in August?",
    ],
)
def test_a_question_about_something_else_does(question: str):
    assert chance(question) > 0.9
