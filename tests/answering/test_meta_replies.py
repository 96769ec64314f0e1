from collections.abc import Sequence
from dataclasses import replace

import pytest

from seminar.answering.composing import NOT_FOUND, Composer
from seminar.answering.meta_replies import NO_MORE, NOTHING_YET, ConversationResponder
from seminar.assistant import Assistant
from seminar.questions.history import Original
from seminar.types import (
    Alternative,
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
from tests.fakes import ListedContents

TEXT = "The bakery opened in 1962. Ada ran it. It sold rye bread. Bo bought it in 1990. He bakes."
BAKERY = Passage("bakery.md", 0, len(TEXT), TEXT, "Harbour Bakery", "History")
MILL_TEXT = "Contents\nThe mill grinds flour for the bakery. It burned down in 1911."
MILL = Passage("mill.md", 0, len(MILL_TEXT), MILL_TEXT, "The Mill")


class Found:
    """A retriever that finds the passages that hold a word of the query, and counts the queries."""

    def __init__(self, *passages: Passage) -> None:
        self.passages = passages
        self.searches = 0

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        self.searches += len(queries)
        return [
            [
                Hit(passage, 1.0)
                for passage in self.passages
                if passage.source == query.scope
                or any(word in passage.searched.lower() for word in query.text.lower().split())
            ][:k]
            for query in queries
        ]


def span(words: str, passage: Passage = BAKERY) -> Span:
    start = passage.text.index(words)
    return Span(passage, start, start + len(words))


def composed(question: str, *answers: Answer) -> Reply:
    [reply] = Composer(0.5).respond(
        [Dialogue()], [Query(question)], [[Hit(BAKERY, 2.0)]], [answers]
    )
    return reply


OPENED = composed("When did it open?", Answer(span("1962"), 0.9))
DIALOGUE = Dialogue((Turn("When did it open?", OPENED),))
RESPONDER = ConversationResponder(
    Found(BAKERY, MILL), Composer(0.5), contents=ListedContents([BAKERY, MILL])
)


def asked(question: str, dialogue: Dialogue = DIALOGUE) -> Reply:
    [reply] = RESPONDER.reply([dialogue], [question])
    assert reply is not None
    return reply


def test_question_to_the_files_gets_no_reply():
    assert RESPONDER.reply([DIALOGUE, DIALOGUE], ["Who ran it?", "Thanks!"])[0] is None


def test_thanks_are_returned_without_an_answer():
    reply = asked("Thanks!")
    assert (reply.text, reply.meta, reply.answerable) == ("You're welcome.", True, False)


def test_files_are_listed_with_their_titles():
    assert asked("What files do you have?").text == (
        "I answer from 2 files:\n- bakery.md: Harbour Bakery\n- mill.md: The Mill"
    )


def test_greeting_says_how_many_files_there_are():
    assert asked("Hello").text.startswith("Hello. I answer questions from 2 files.")


def test_summary_quotes_the_opening_sentence_of_each_section_on_the_topic():
    reply = asked("Summarise the bakery")
    assert reply.text == (
        "I quote, I don't summarise; here is what the files say on the bakery:\n"
        "“The bakery opened in 1962.”\n“The mill grinds flour for the bakery.”"
    )
    assert [span.passage.source for span in reply.literal] == ["bakery.md", "mill.md"]
    assert (reply.topic, reply.answerable) == ("Harbour Bakery", True)


def test_summary_of_that_is_one_of_the_last_answer_s_section():
    assert "on Harbour Bakery > History:" in asked("Can you summarise that?").text


def test_summary_of_everything_asks_for_a_topic():
    assert asked("Summarise all files").text.startswith("I quote, I don't summarise. Name a topic.")


def test_topic_that_no_section_has_is_said_with_the_files():
    reply = asked("What do you know about submarines?")
    assert reply.text.startswith("No section speaks of submarines. I answer from 2 files:")
    assert not reply.answerable


def test_comparison_quotes_both_sides():
    reply = asked("Compare the bakery with the mill")
    assert [span.text for span in reply.literal] == [
        "The bakery opened in 1962.",
        "The mill grinds flour for the bakery.",
    ]


def test_repetition_is_the_last_reply_with_its_citations():
    reply = asked("What did you just say?")
    assert (reply.text, reply.literal) == (OPENED.text, OPENED.literal)


def test_doubt_is_answered_by_the_probability_and_the_sentence():
    reply = asked("Are you sure?")
    assert "I am 90% sure." in reply.text
    assert "“The bakery opened in 1962.”" in reply.text
    assert reply.literal == OPENED.literal


def test_evidence_is_the_sentence_and_its_source():
    assert asked("Why do you say that?").text == (
        "Because bakery.md says: “The bakery opened in 1962.”"
    )


def test_evidence_after_a_refusal_is_the_nearest_sentence():
    refused = replace(composed("Who opened it?"), nearest=span("Ada ran it."))
    reply = asked("Are you sure?", Dialogue((Turn("Who opened it?", refused),)))
    assert "the nearest sentence is “Ada ran it.”" in reply.text


@pytest.mark.parametrize("question", ["Are you sure?", "How do you know?", "Pardon?", "Go on"])
def test_question_about_an_answer_before_any_was_given_says_so(question: str):
    assert asked(question, Dialogue()).text == NOTHING_YET


def test_evidence_skips_talk_between_the_answer_and_the_question():
    thanked = DIALOGUE.add(Turn("Thanks!", asked("Thanks!")))
    assert asked("How do you know?", thanked).literal == OPENED.literal


def test_more_is_the_next_sentences_until_none_is_left():
    dialogue = DIALOGUE
    texts = []
    for _ in range(3):
        reply = asked("Tell me more", dialogue)
        texts.append(reply.text)
        dialogue = dialogue.add(Turn("Tell me more", reply))
    assert texts == [
        "Ada ran it. … It sold rye bread.",
        "Bo bought it in 1990. … He bakes.",
        NO_MORE,
    ]


def test_more_leaves_out_what_was_shown_as_an_extra():
    extras = (Pragmatic(span("It sold rye bread."), "lead"),)
    dialogue = Dialogue((Turn("When did it open?", replace(OPENED, pragmatic=extras)),))
    assert asked("more", dialogue).text == "Ada ran it. … Bo bought it in 1990."


def test_more_searches_the_section_where_the_last_hits_are_lost():
    lost = Dialogue((Turn("When did it open?", replace(OPENED, hits=())),))
    assert asked("more", lost).text == "Ada ran it. … It sold rye bread."


def message(label: str) -> Passage:
    words = "The release goes out on Friday."
    said = Utterance("7", "Bo Lind", words, None, len(label), len(label) + len(words), "chat.txt")
    return Passage("chat.txt", 0, len(label) + len(words), label + words, utterances=(said,))


def answered_from(passage: Passage) -> Dialogue:
    return Dialogue((Turn("When?", composed("When?", Answer(span("on Friday", passage), 0.9))),))


def test_speaker_of_the_last_answer_is_named_with_the_words():
    reply = asked("And who said that?", answered_from(message("Bo Lind: ")))
    assert reply.text == "Bo Lind"
    assert [span.text for span in reply.literal] == ["Bo Lind", "on Friday"]


def test_speaker_whom_the_passage_does_not_name_is_left_to_the_citation():
    reply = asked("Who said that?", answered_from(message("")))
    assert reply.text == "Because chat.txt#7 says: “The release goes out on Friday.”"


def test_speaker_of_a_document_is_left_to_the_reader():
    assert RESPONDER.reply([DIALOGUE], ["Who said that?"]) == [None]


OTHERS = (Alternative(Answer(span("1990"), 0.6)), Alternative(Answer(span("Bo"), 0.5)))
THREE = replace(OPENED, alternatives=OTHERS)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("the second one", "1990"),
        ("no, the other one", "1990"),
        ("not that one", "1990"),
        ("the last", "Bo"),
        ("the first", "1962"),
        ("the fourth", "I gave 3 answers."),
    ],
)
def test_choice_is_among_the_answers_that_were_just_given(question: str, text: str):
    assert asked(question, Dialogue((Turn("When?", THREE),))).text == text


def test_choice_without_alternatives_is_left_to_the_files():
    assert RESPONDER.reply([DIALOGUE, Dialogue()], ["the second one", "the other"]) == [None, None]


class NoReader:
    """A reader that finds nothing."""

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [[] for _ in queries]


def test_assistant_searches_only_what_the_files_have_to_answer():
    retriever = Found(BAKERY)
    responder = Composer(0.5)
    assistant = Assistant(
        Original(),
        retriever,
        reader=NoReader(),
        responder=responder,
        meta=ConversationResponder(retriever, responder, contents=ListedContents([BAKERY])),
    )
    assert assistant.reply(Dialogue(), "Thanks!").text == "You're welcome."
    assert retriever.searches == 0
    replies = assistant.ask([Dialogue()] * 3, ["Hello", "Who ran it?", "Thanks"])
    assert [reply.text for reply in replies][1:] == [NOT_FOUND, "You're welcome."]
    assert retriever.searches == 1
