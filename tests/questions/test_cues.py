import pytest

from seminar.questions.cues import cues

BAND = (
    ("who sings in rage against the machine?", "Zack de la Rocha"),
    ("when was it formed?", "In 1991."),
)


def test_a_question_is_set_beside_what_was_said():
    cue = cues("Was it formed by Zack?", BAND)
    assert cue.terms == {"formed", "zack"}
    assert cue.last_question_terms == {"formed"}
    assert cue.last_answer_terms == {"1991"}
    assert "zack" in cue.earlier_terms
    assert cue.share(cue.last_question_terms) == 0.5


def test_pronouns_of_this_question_the_last_and_those_before():
    cue = cues("did she like them?", (("who is he?", "Tom"), ("is it far?", "No")))
    assert cue.pronouns == {"she", "they"}
    assert cue.last_pronouns == {"it"}
    assert cue.earlier_pronouns == {"he"}


def test_a_name_is_an_answer_that_can_be_asked_about():
    assert cues("who was he?", BAND[:1]).answer_is_name
    assert not cues("why then?", BAND).answer_is_name  # a date
    assert not cues("why?", (("was he ill?", ""),)).answer_is_name
    long = "It was the singer Zack de la Rocha who said so on a Monday"
    assert not cues("why?", (("who said so?", long),)).answer_is_name


def test_words_that_lean_on_the_conversation():
    cue = cues("And what of the second one you mentioned?", BAND)
    assert (cue.stands_in, cue.points_back, cue.opens_short) == (True, True, True)
    assert cues("Are there any others?", BAND).asks_more
    assert cues("who was he?", BAND).asks_identity
    assert cues("is this his?", BAND).demonstrates


def test_a_first_question_leans_on_nothing():
    cue = cues("Is Larkholm an island?", ())
    assert (cue.answer, cue.earlier_terms, cue.last_pronouns) == ("", frozenset(), frozenset())


@pytest.mark.parametrize(
    "question",
    ["Who is she?", "and the other one?", "Was that so?", "who lives there?"],
)
def test_question_with_a_reference_leans(question: str):
    assert cues(question, BAND).leans


@pytest.mark.parametrize(
    "question", ["How do you manage Macs?", "Is there a lift?", "Are there any more lifts?", "Why?"]
)
def test_question_without_a_reference_does_not_lean(question: str):
    assert not cues(question, BAND).leans
