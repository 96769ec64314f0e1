import pytest

from seminar.answering.interpretations import readings
from seminar.types import Answer, Passage, Span, Utterance


def answer(text: str, words: str, title: str = "Ferry", section: str = "") -> Answer:
    passage = Passage("ferry.md", 0, len(text), text, title, section)
    start = text.index(words)
    return Answer(Span(passage, start, start + len(words)), 0.5)


def test_titles_tell_answers_apart():
    answers = [
        answer("It opened in 1893.", "1893", "Old Brennan Hall", "History"),
        answer("It opened in 1968.", "1968", "New Brennan Hall", "History"),
    ]
    assert readings("When did the hall open?", answers) == ["Old Brennan Hall", "New Brennan Hall"]


def test_sections_tell_apart_what_one_document_says():
    answers = [
        answer("It rehearses on Tuesdays.", "Tuesdays", "Choirs", "Singing > The Chapel Choir"),
        answer("It rehearses on Fridays.", "Fridays", "Choirs", "Singing > The Tide Choir"),
        answer("They play on Sundays.", "Sundays", "Orchestra"),
    ]
    told = readings("When is the rehearsal?", answers)
    assert told == ["Choirs > The Chapel Choir", "Choirs > The Tide Choir", "Orchestra"]


def test_speakers_tell_apart_what_was_said():
    text = "Ann: on Monday. Bo: on Friday."
    said = (
        Utterance("1", "Ann", "on Monday.", start=5, end=15),
        Utterance("2", "Bo", "on Friday.", start=20, end=30),
    )
    passage = Passage("team.json", 0, 30, text, "team", utterances=said)
    answers = [Answer(Span(passage, 8, 14), 0.5), Answer(Span(passage, 23, 29), 0.5)]
    assert readings("When is the launch?", answers) == ["Ann", "Bo"]


@pytest.mark.parametrize(
    ("question", "text", "answers", "told"),
    [
        (
            "How long does the crossing take?",
            "The crossing takes 55 minutes in summer and 65 minutes in winter, when it is rough.",
            ("55 minutes", "65 minutes"),
            ["in summer", "in winter"],
        ),
        (
            "How long does the crossing take?",
            "In the summer timetable, from 1 April on, the crossing takes 55 minutes. In the "
            "winter timetable it takes 65 minutes, because the ship goes round the bar.",
            ("55 minutes", "65 minutes"),
            ["In the summer timetable", "In the winter timetable"],
        ),
        (
            "How big is the telescope?",
            "The older telescope has a lens 30 centimetres across. The newer telescope has a "
            "mirror 60 centimetres across.",
            ("30 centimetres across", "60 centimetres across"),
            ["The older telescope", "The newer telescope"],
        ),
        (
            "When was the storm?",
            "The storm surge of 31 January 1953 flooded the library to a depth of 1.6 metres. The "
            "gale of 2 January 1976 tore off the dome.",
            ("31 January 1953", "2 January 1976"),
            ["The storm surge", "The gale"],
        ),
    ],
)
def test_phrases_of_the_sentence_tell_the_rest_apart(question, text, answers, told):
    assert readings(question, [answer(text, one) for one in answers]) == told


def test_where_nothing_tells_them_apart_nothing_is_said():
    text = "It rains. It snows."
    assert readings("What does it do?", [answer(text, "rains"), answer(text, "snows")]) == ["", ""]


def test_a_heading_that_is_the_answer_itself_tells_nothing():
    answers = [
        answer("Harriet Osgood swam.", "Harriet Osgood", "Harriet Osgood"),
        answer("Leopold Osgood slept.", "Leopold Osgood", "Leopold Osgood"),
    ]
    assert readings("Who is Osgood?", answers) == ["", ""]


def test_one_answer_needs_no_reading():
    assert readings("Why?", [answer("It rains.", "rains")]) == [""]
    assert readings("Why?", []) == []
