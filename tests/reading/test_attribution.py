import pytest

from seminar.reading.attribution import attribute

SPEAKERS = [
    "Ada Berg",
    "Bo",
    "CHAIR",
    "Ines Calloway (principal)",
    "John G. Roberts, Jr.",
    "Jacob Palme <jp@example.org>",
    "Maud Brennan",
    "Tobias Brennan",
    "Will Stone",
]


@pytest.mark.parametrize(
    ("question", "act", "topic"),
    [
        ("Who asked for the survey?", "request", "the survey"),
        ("Who asked about the tide?", "ask", "about the tide"),
        ("who first suggested moving the concert?", "propose", "moving the concert"),
        ("Who's talking about the sails?", "say", "about the sails"),
        ("Whose idea was it to paint the gig?", "propose", "to paint the gig"),
        ("Which person mentions the tide?", "say", "the tide"),
        ("Who was it that said the buoy is broken?", "say", "the buoy is broken"),
        ("Which speaker lost a shoe?", "", "lost a shoe"),
    ],
)
def test_the_speaker_of_some_words_is_wanted(question: str, act: str, topic: str):
    asked = attribute(question, SPEAKERS)
    assert (asked.wanted, asked.act, asked.topic) == ("speaker", act, topic)


@pytest.mark.parametrize(
    ("question", "speakers"),
    [
        ("What did the chair say about the budget?", {"CHAIR"}),
        ("How much did the chairwoman want to spend?", {"CHAIR"}),
        ("What does the principal think of the clock?", {"Ines Calloway (principal)"}),
        ("What did Calloway propose?", {"Ines Calloway (principal)"}),
        ("what did bo say about the boat?", {"Bo"}),
        ("What did Justice Roberts ask about?", {"John G. Roberts, Jr."}),
        ("What did Jacob Palme suggest?", {"Jacob Palme <jp@example.org>"}),
        ("What is Ada's opinion on tea?", {"Ada Berg"}),
        ("What was proposed by the principal?", {"Ines Calloway (principal)"}),
        ("According to Brennan, what is the price?", {"Maud Brennan", "Tobias Brennan"}),
        ("What did Maud Brennan say?", {"Maud Brennan"}),
    ],
)
def test_the_words_of_a_named_speaker_are_wanted(question: str, speakers: set[str]):
    asked = attribute(question, SPEAKERS)
    assert (asked.wanted, asked.speakers) == ("words", speakers)


@pytest.mark.parametrize(
    "question",
    [
        "Will the ferry sail on Sunday?",
        "Who was asked to bring the cake?",
        "Who opened the hall?",
        "What did the captain say?",
        "Where is the chair of oak?",
        "",
    ],
)
def test_other_questions_are_not_about_who_said_what(question: str):
    assert attribute(question, SPEAKERS).wanted is None


def test_a_name_without_an_act_of_saying_is_only_named():
    asked = attribute("When did Bo quit using DrRacket?", SPEAKERS)
    assert (asked.wanted, asked.speakers) == (None, {"Bo"})


@pytest.mark.parametrize(
    ("question", "is_open"),
    [
        ("What did the chair say about the budget?", True),
        ("What does Ada think?", True),
        ("How much did Ada propose?", False),
        ("What time did Ada suggest on Monday?", False),
    ],
)
def test_a_whole_statement_is_wanted_only_where_one_is_asked_for(question: str, is_open: bool):
    assert attribute(question, SPEAKERS).open is is_open


def test_the_topic_leaves_out_who_is_asked_about():
    assert attribute("What did Ada say about the boat?", SPEAKERS).topic == "the boat"
    assert attribute("When did Ada say it sails?", SPEAKERS).topic == "When did it sails"
