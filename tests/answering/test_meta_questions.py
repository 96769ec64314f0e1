from dataclasses import replace

import pytest

from seminar.answering.composing import NOT_FOUND, Composer
from seminar.answering.meta_questions import about_last_answer
from seminar.types import (
    Answer,
    Dialogue,
    Hit,
    Passage,
    Pragmatic,
    Query,
    Reply,
    Span,
    Turn,
    Utterance,
)

TEXT = "The bakery opened in 1962. Ada ran it. It sold rye bread. Bo bought it in 1990. He bakes."
BAKERY = Passage("bakery.md", 0, len(TEXT), TEXT, "Harbour Bakery", "History")
HITS = [Hit(BAKERY, 2.0)]


def span(words: str) -> Span:
    return Span(BAKERY, TEXT.index(words), TEXT.index(words) + len(words))


def asked(dialogue: Dialogue, question: str, *answers: Answer) -> Reply:
    [reply] = Composer(0.5).respond([dialogue], [Query(question)], [HITS], [answers])
    return reply


FOUNDED = asked(Dialogue(), "When did it open?", Answer(span("1962"), 0.9))


@pytest.mark.parametrize(
    "question",
    ["tell me more", "More!", "And what else?", "Could you tell me more about it?", "go on please"],
)
def test_asking_for_more_is_asking_to_go_on(question: str):
    dialogue = Dialogue((Turn("When did it open?", FOUNDED),))
    assert asked(dialogue, question).text == "Ada ran it. … It sold rye bread."


@pytest.mark.parametrize(
    "question", ["", "Is there more bread?", "What else did Ada run?", "moreover"]
)
def test_asking_for_something_is_not(question: str):
    dialogue = Dialogue((Turn("When did it open?", FOUNDED),))
    assert about_last_answer(dialogue, question, HITS) is None


def test_more_is_what_comes_next_until_all_is_told():
    dialogue = Dialogue((Turn("When did it open?", FOUNDED),))
    told = []
    for _ in range(3):
        reply = asked(dialogue, "Tell me more", Answer(span("1962"), 0.9))
        told.append(reply.text)
        dialogue = dialogue.add(Turn("Tell me more", reply))
    assert told == [
        "Ada ran it. … It sold rye bread.",
        "Bo bought it in 1990. … He bakes.",
        NOT_FOUND,
    ]


def test_what_was_told_as_an_extra_is_not_told_again():
    extras = (Pragmatic(span("It sold rye bread."), "lead"),)
    dialogue = Dialogue((Turn("When did it open?", replace(FOUNDED, pragmatic=extras)),))
    assert asked(dialogue, "more").text == "Ada ran it. … Bo bought it in 1990."


def test_there_is_no_more_of_nothing():
    assert asked(Dialogue(), "Tell me more").text == NOT_FOUND


def message(label: str) -> Passage:
    words = "The release goes out on Friday."
    said = Utterance("7", "Bo Lind", words, None, len(label), len(label) + len(words), "chat.txt")
    return Passage("chat.txt", 0, len(label) + len(words), label + words, utterances=(said,))


def said_in_chat(passage: Passage) -> Dialogue:
    start = passage.text.index("on Friday")
    reply = asked(Dialogue(), "When?", Answer(Span(passage, start, start + 9), 0.9))
    return Dialogue((Turn("When?", reply),))


def test_who_said_that_is_the_speaker_of_the_last_answer():
    reply = asked(said_in_chat(message("Bo Lind: ")), "And who said that?")
    assert reply.text == "Bo Lind"
    assert [span.text for span in reply.literal] == ["Bo Lind", "on Friday"]


def test_nobody_is_named_whom_the_passage_does_not_name():
    assert asked(said_in_chat(message("")), "Who said that?").text == NOT_FOUND


def test_a_document_has_no_speaker_so_the_question_is_read_as_any_other():
    dialogue = Dialogue((Turn("When did it open?", FOUNDED),))
    assert asked(dialogue, "Who said that?", Answer(span("Ada"), 0.9)).text == "Ada"
