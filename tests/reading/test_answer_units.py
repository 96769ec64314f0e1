"""The unit of an answer by the form of its question."""

import pytest

from seminar.reading.answer_units import asks_for_list, asks_to_explain, complete, is_quotable
from seminar.types import Passage, Span, Utterance

TEXT = (
    "Install\n\nTo install it, run:\n\npip install thing\nthing --init\n\n"
    "Paints\n\nred paint\nblue paint, which is cheaper\n\n"
    "The boat was late because fog lay on the bay."
)
PAGE = Passage("guide.md", 0, len(TEXT), TEXT, "Guide", "Install")


def span_of(words: str, passage: Passage = PAGE) -> Span:
    start = passage.text.index(words)
    return Span(passage, start, start + len(words))


@pytest.mark.parametrize(
    ("question", "explains"),
    [
        ("Why was it late?", True),
        ("How did the fog come?", True),
        ("how come it sank", True),
        ("How many boats are there?", False),
        ("How long does it take?", False),
        ("Who was late?", False),
    ],
)
def test_why_and_how_ask_for_explanation_but_quantities_do_not(question: str, explains: bool):
    assert asks_to_explain(question) is explains


def test_short_answer_to_why_becomes_its_sentence():
    assert complete("Why was it late?", span_of("fog")).text == TEXT[TEXT.index("The boat") :]


def test_clause_that_answers_why_is_unchanged():
    clause = span_of("because fog lay on the bay")
    assert complete("Why was it late?", clause) == clause


def test_short_answer_to_other_question_is_unchanged():
    assert complete("What lay on the bay?", span_of("fog")) == span_of("fog")


def test_code_after_colon_belongs_to_answer_to_how():
    answer = complete("How do I install it?", span_of("To install it, run:"))
    assert answer.text == "To install it, run:\n\npip install thing\nthing --init"


def test_question_for_all_items_gets_whole_list():
    assert asks_for_list("What are the paints?")
    answer = complete("What are the paints?", span_of("red paint"))
    assert answer.text == "red paint\nblue paint, which is cheaper"


def test_messages_of_conversation_are_no_list():
    text = "Ana: red paint\nBo: blue paint"
    utterance = Utterance("1", "Ana", "red paint", start=5, end=14)
    chat = Passage("chat", 0, len(text), text, utterances=(utterance,))
    assert complete("What are the paints?", span_of("red paint", chat)).text == "red paint"


def test_headings_questions_and_code_are_not_quotable():
    text = "Guide\n\nWho may enter?\n\nx = f(a, b);\n\nChildren may enter."
    page = Passage("a.md", 0, len(text), text, "Guide")
    assert not is_quotable(span_of("Guide", page))
    assert not is_quotable(span_of("enter", page))
    assert not is_quotable(span_of("f(a, b)", page))
    assert is_quotable(span_of("Children", page))
