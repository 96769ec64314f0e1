from seminar.collection.questions.summaries import sentences_of, summarise
from seminar.collection.questions.templates import questions_about
from seminar.types import Passage, Span
from tests.fakes import FakeEncoder


def test_sentences_are_those_of_the_messages_without_names(chunk: Passage):
    texts = [one.text for one in sentences_of(chunk)]
    assert texts[:2] == [
        "Welcome to the forum.",
        "The budget for next year will be 9.4 million crowns.",
    ]
    assert len(texts) == 8


def test_templates_ask_who_what_when_and_how_much(chunk: Passage):
    question = [one for sentence in sentences_of(chunk) for one in questions_about(sentence)]
    asked = {(one.question, one.answer.text) for one in question}
    assert {
        ("Who said that the budget for next year will be 9.4 million crowns?", "CHAIR"),
        ("Who thinks that the survey should run for four weeks in term?", "CHAIR"),
        ("What did RASK say about the late boat?",
         "The late boat was asked for on 14 April."),
        ("Which day or date does RASK mention when speaking of the late boat?", "14 April"),
        ("What number or amount does CHAIR mention when speaking of the budget?",
         "9.4 million crowns"),
    } <= asked  # fmt: skip
    assert not any("you" in question.lower().split() for question, _ in asked)


def test_every_quote_is_at_its_offsets(chunk: Passage):
    for sentence in sentences_of(chunk):
        for question in questions_about(sentence):
            assert chunk.text[question.answer.start : question.answer.end] == question.answer.text
            if question.kind in ("who said", "who holds"):
                assert question.answer.text == sentence.utterance.speaker


def test_a_document_is_asked_by_its_title():
    text = "The Walled Garden was laid out in 1881 by monks."
    passage = Passage("g.md", 0, len(text), text, title="Gardens")
    [question] = questions_about(Span(passage, 0, len(text)))
    assert question.question == "According to Gardens, when was the Walled Garden laid out?"
    assert question.answer.text == "1881"


def test_a_summary_is_the_sentences_nearest_to_all(chunk: Passage):
    text = (
        "The red boat sails. The red boat leaks badly now. The red boat is old now. "
        "Rain fell here today too."
    )
    passage = Passage("a.txt", 0, len(text), text)
    summary = summarise(passage, FakeEncoder(), limit=2)
    assert [one.text for one in summary] == [
        "The red boat leaks badly now.",
        "The red boat is old now.",
    ]
    assert len(summarise(chunk, FakeEncoder())) == 3
