import pytest

from seminar.answering.heading_questions import question_for_heading


@pytest.mark.parametrize(
    ("heading", "text", "question"),
    [
        ("Opening hours", "The opening hours change in winter.", "What about opening hours?"),
        ("Phones", "All phones stay in the locker.", "What about phones?"),
        ("How do I get a card?", "", "How do I get a card?"),
        ("The Tarrant Reflector", "", "Tell me about the Tarrant Reflector."),
        ("Maud Brennan", "", "Tell me about Maud Brennan."),
        ("The time ball", "A time ball was dropped.", "Tell me about the time ball."),
    ],
)
def test_heading_that_is_a_thing_or_a_question_gives_a_question(
    heading: str, text: str, question: str
):
    assert question_for_heading(heading, text) == question


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("", ""),
        ("Overview", "an overview"),
        ("Using middleware", "using middleware"),
        ("CORSMiddleware", "It handles cors."),  # code
        ("acts.py", "acts.py holds the acts."),
        ("From school to college", "from school"),
        ("Table", "the table"),  # a single thing says too little
        ("Installation", "the installation"),
        ("Windows", "It runs on Windows."),  # never in lower case: a name, not a plural
    ],
)
def test_heading_that_would_make_a_hollow_question_gives_none(heading: str, text: str):
    assert question_for_heading(heading, text) is None
