from dataclasses import replace

import pytest

from seminar.answering.composing import NOT_FOUND, Composer
from seminar.answering.going_on import asks_for_more
from seminar.types import Answer, Dialogue, Hit, Passage, Pragmatic, Query, Reply, Span, Turn

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
    assert asks_for_more(question)


@pytest.mark.parametrize(
    "question", ["", "Is there more bread?", "What else did Ada run?", "moreover"]
)
def test_asking_for_something_is_not(question: str):
    assert not asks_for_more(question)


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
    assert asked(dialogue, "more").text == "Bo bought it in 1990. … He bakes."


def test_there_is_no_more_of_nothing():
    assert asked(Dialogue(), "Tell me more").text == NOT_FOUND
