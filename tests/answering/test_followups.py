from collections.abc import Sequence
from dataclasses import replace

from seminar.answering.composing import Composer
from seminar.answering.followups import Followups, suggestions
from seminar.assistant import Assistant
from seminar.questions.history import Original
from seminar.types import (
    Answer,
    Dialogue,
    Hit,
    Link,
    Passage,
    Pragmatic,
    Query,
    Reply,
    Span,
    Turn,
)  # fmt: skip

TEXT = (
    "The organ was given by Maud Brennan. The organ was built in 1904. It has two manuals. "
    "The chapel was completed in 1901."
)
MAUD = TEXT.index("Maud")
LINK = Link(MAUD, MAUD + 12, "maud.md")
CHOIR = Passage("choir.md", 0, len(TEXT), TEXT, "The Choirs", "The organ", links=(LINK,))
RECORDS = Passage(
    "choir.md", 500, 540, "Three recordings were made in 1988.", "The Choirs", "Recordings"
)
SINGING = Passage("choir.md", 600, 640, "Everybody may sing.", "The Choirs", "Joining and singing")
STORY = Passage("choir.md", 700, 740, "It moved in 1931.", "The Choirs", "From chapel to hall")
OPENING = Passage("choir.md", 0, 30, "The college has two choirs.", "The Choirs")
HITS = tuple(Hit(one, 1.0) for one in (CHOIR, RECORDS, SINGING, STORY, OPENING))


def span(text: str, passage: Passage = CHOIR) -> Span:
    start = passage.text.index(text)
    return Span(passage, start, start + len(text))


def replied(question: str, literal: Span, *extras: Span) -> Reply:
    return Reply(
        text=literal.text,
        query=Query(question, question),
        hits=HITS,
        answerable=True,
        literal=(literal,),
        pragmatic=tuple(Pragmatic(one, "lead") for one in extras),
        topic=literal.passage.title,
    )


class Oracle:
    """An assistant that knows some questions by heart, and remembers what it was asked."""

    def __init__(self, **answers: Span) -> None:
        self.answers = {question.replace("_", " "): span for question, span in answers.items()}
        self.asked: list[list[str]] = []

    def ask(self, dialogues: Sequence[Dialogue], questions: Sequence[str]) -> list[Reply]:
        assert len(dialogues) == len(questions)
        self.asked.append(list(questions))
        return [
            replied(question, self.answers[question])
            if question in self.answers
            else Reply(text="I can't find that.", query=Query(question))
            for question in questions
        ]


DONOR = replied("Who gave the organ?", span("Maud Brennan"))
BUILT = "When was the organ built?"
MADE = [
    BUILT,
    "What about recordings?",
    "Tell me about Maud Brennan.",
    "When were three recordings made?",
]


def suggested(oracle: Oracle, *replies: Reply, **limits: int) -> list[tuple[str, ...]]:
    return Followups(oracle.ask, **limits).suggest([Dialogue() for _ in replies], replies)


def test_questions_are_made_of_sentences_sections_and_names_in_turn():
    dialogue = Dialogue((Turn("Who gave the organ?", DONOR),))
    assert [one.question for one in suggestions(dialogue)] == MADE


def test_only_what_was_answered_is_shown():
    oracle = Oracle(**{BUILT.replace(" ", "_"): span("1904")})
    assert suggested(oracle, DONOR) == [(BUILT,)]
    assert oracle.asked == [MADE]


def test_an_answer_from_another_place_does_not_count():
    oracle = Oracle(**{BUILT.replace(" ", "_"): span("1988", RECORDS)})
    assert suggested(oracle, DONOR) == [()]


def test_question_about_a_name_must_be_answered_by_words_with_that_name():
    answers = {
        "Tell_me_about_Maud_Brennan.": span("Three recordings", RECORDS),
        "What_about_recordings?": span("Three recordings", RECORDS),
    }
    assert suggested(Oracle(**answers), DONOR) == [("What about recordings?",)]


def test_what_was_told_already_answers_no_new_question():
    reply = replied(
        "Who gave the organ?", span("Maud Brennan"), span("The organ was built in 1904.")
    )
    oracle = Oracle(**{BUILT.replace(" ", "_"): span("1904")})
    assert suggested(oracle, reply) == [()]
    assert BUILT not in oracle.asked[0]


def test_the_cost_is_bounded_and_paid_in_one_batch():
    oracle = Oracle()
    assert suggested(oracle, DONOR, DONOR, tried=2) == [(), ()]
    assert oracle.asked == [MADE[:2] + MADE[:2]]


def test_no_more_than_the_limit_are_shown():
    answers = {BUILT: span("1904"), "What about recordings?": span("Three recordings", RECORDS)}
    oracle = Oracle(**{key.replace(" ", "_"): value for key, value in answers.items()})
    assert suggested(oracle, DONOR, limit=1) == [(BUILT,)]


def test_where_nothing_was_answered_nothing_is_suggested_or_asked():
    oracle = Oracle()
    refused = Reply(text="I can't find that.", query=Query("Why?"), hits=HITS)
    assert suggested(oracle, refused) == [()]
    assert oracle.asked == []


def test_what_was_asked_before_is_not_suggested():
    asked = Dialogue((Turn(BUILT, replied(BUILT, span("1904"))), Turn("Who gave it?", DONOR)))
    assert BUILT not in [one.question for one in suggestions(asked)]


class Found:
    """A retriever that finds the same for every question."""

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [list(HITS[:k]) for _ in queries]


class Told:
    """A reader with one answer for every question."""

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [[Answer(span("Maud Brennan"), 0.9)] for _ in queries]


def test_they_join_the_reply_once_it_is_there():
    oracle = Oracle(**{BUILT.replace(" ", "_"): span("1904")})
    assistant = Assistant(
        Original(),
        Found(),
        reader=Told(),
        responder=Composer(0.5),
        suggester=Followups(oracle.ask),
    )
    [alone] = assistant.answer_without_suggestions([Dialogue()], ["Who gave the organ?"])
    assert alone.followups == ()
    assert assistant.suggest([Dialogue()], [alone])[0].followups == (BUILT,)
    assert assistant.reply(Dialogue(), "Who gave the organ?").followups == (BUILT,)


def test_suggestion_of_an_earlier_turn_is_not_made_again():
    before = Turn("Who gave the organ?", replace(DONOR, followups=(BUILT,)))
    dialogue = Dialogue((before, Turn("Who gave it?", DONOR)))
    assert BUILT not in [one.question for one in suggestions(dialogue)]


def test_subject_that_the_asker_cannot_know_is_not_asked_about():
    dialogue = Dialogue((Turn("Who gave the organ?", DONOR),))
    assert "When was the chapel completed?" not in [one.question for one in suggestions(dialogue)]
