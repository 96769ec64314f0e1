import pytest

from seminar.reading.attribution import parse_attribution

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
def test_question_for_speaker_has_act_and_topic(question: str, act: str, topic: str):
    attribution = parse_attribution(question, SPEAKERS)
    assert (attribution.wanted, attribution.act, attribution.topic) == ("speaker", act, topic)


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
def test_question_for_words_names_their_speakers(question: str, speakers: set[str]):
    attribution = parse_attribution(question, SPEAKERS)
    assert (attribution.wanted, attribution.speakers) == ("words", speakers)


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
def test_question_without_speech_act_of_a_speaker_wants_neither(question: str):
    assert parse_attribution(question, SPEAKERS).wanted is None


def test_name_without_speech_act_is_recorded_but_nothing_is_wanted():
    attribution = parse_attribution("When did Bo quit using DrRacket?", SPEAKERS)
    assert (attribution.wanted, attribution.speakers) == (None, {"Bo"})


@pytest.mark.parametrize(
    ("question", "is_open"),
    [
        ("What did the chair say about the budget?", True),
        ("What does Ada think?", True),
        ("How much did Ada propose?", False),
        ("What time did Ada suggest on Monday?", False),
    ],
)
def test_question_is_open_if_whole_statement_answers(question: str, is_open: bool):
    assert parse_attribution(question, SPEAKERS).open is is_open


def test_topic_leaves_out_speaker_and_speech_act():
    assert parse_attribution("What did Ada say about the boat?", SPEAKERS).topic == "the boat"
    assert parse_attribution("When did Ada say it sails?", SPEAKERS).topic == "When did it sails"
