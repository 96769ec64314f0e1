import pytest

from seminar.answering.question_generation import question_for


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The organ was built in 1904 and has 17 stops.", "When was the organ built?"),
        ("The rules were agreed in 2015.", "When were the rules agreed?"),
        ("The reading room opened on 3 May 1926.", "When did the reading room open?"),
        ("The museum opens at 10:00 on weekdays.", "When does the museum open?"),
        ("The gardens are open every day.", "When are the gardens open?"),
        ("The archivist is Tomas Idowu, who came in 2019.", "Who is the archivist?"),
        ("The director is Dr Kofi Lindqvist.", "Who is the director?"),
        ("The ship is named after a biologist.", "Who is the ship named after?"),
        ("A single room costs 74 crowns a night.", "How much does a single room cost?"),
        ("The crossing takes an hour.", "How long does the crossing take?"),
        ("The wall is 3.4 metres high.", "How high is the wall?"),
        ("The dome is closed on Mondays.", "When is the dome closed?"),
        ("The path was closed because a rock had fallen.", "Why was the path closed?"),
        ("The organ was given by Maud Brennan.", "Who gave the organ?"),
        ("The ferry is run by the Larkholm Company.", "Who runs the ferry?"),
        ("The old mill stands on the quay.", "Where is the old mill?"),
        ("The coins are kept in the museum.", "Where are the coins kept?"),
        ("Dogs are not allowed in the dome.", "Are dogs allowed?"),
        ("Islanders receive a free card.", "What do islanders receive?"),
        ("Students may borrow 12 books at a time.", "How many books may students borrow?"),
        ("Maud Brennan was a marine biologist.", "Who was Maud Brennan?"),
        ("In 1983 the winter service was stopped.", "When was the winter service stopped?"),
        ("Since 1996 the bog has been a nature reserve.",
         "Since when has the bog been a nature reserve?"),
        ("There are only 25 places in the dome.", "How many places are there?"),
        ("The deposit for a key is 20 crowns.", "What is the deposit for a key?"),
        ("The default encoder is static.", "What is the default encoder?"),
        ("To rename your folder, open its menu.", "How do I rename my folder?"),
        ("You can change the colour with the wheel.", "How do I change the colour?"),
        ("Larkholm College has four halls of residence.",
         "How many halls of residence does Larkholm College have?"),
    ],
)  # fmt: skip
def test_a_sentence_of_a_known_form_gives_its_question(sentence: str, question: str):
    assert question_for(sentence) == question


@pytest.mark.parametrize(
    "sentence",
    [
        "She was built in 1998.",  # who?
        "Women were admitted in 1903.",  # a single word may be a name
        "In term the library is open from 08:30.",  # begins with the time, not with the thing
        "The gigs start from the harbour steps.",  # a place, no time
        "The highest point is Beacon Law, at 214 metres.",  # no person
        "The decision cost some 90,000 crowns.",
        "Together they have 306 places.",
        "Nothing of this kind is told here.",
        "",
    ],
)
def test_a_sentence_that_would_make_a_hollow_or_wrong_question_gives_none(sentence: str):
    assert question_for(sentence) is None
