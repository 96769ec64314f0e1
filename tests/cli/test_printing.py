import re
from dataclasses import replace
from io import StringIO

from rich.console import Console

from seminar.cli.chat import Conversation
from seminar.cli.printing import print_questions, print_reply
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
)

TEXT = "The ferry takes 55 minutes. In winter it takes 65 minutes. Dogs are carried free."
FERRY = Passage("ferry.md", 0, len(TEXT), TEXT, "The ferry")
QUERY = Query("How long does it take?")


def span(text: str) -> Span:
    start = FERRY.text.index(text)
    return Span(FERRY, start, start + len(text))


def shown(reply: Reply) -> list[str]:
    console = Console(file=StringIO(), width=120)
    print_reply(console, reply, 0.1)
    print_questions(console, reply)
    file = console.file
    assert isinstance(file, StringIO)
    return [line.rstrip() for line in file.getvalue().splitlines()]


FULL = Reply(
    text="55 minutes",
    query=QUERY,
    hits=(Hit(FERRY, 1.0),),
    answerable=True,
    literal=(span("55 minutes"),),
    pragmatic=(Pragmatic(span("Dogs are carried free."), "lead"),),
    alternatives=(Alternative(Answer(span("65 minutes"), 0.4), "in winter"),),
    followups=("When does the ferry sail?", "Tell me about Dunmarrow."),
    topic="The ferry",
    switch="switch-to-old",
)


def test_the_answer_comes_first_and_everything_else_is_marked():
    assert shown(FULL) == [
        "55 minutes",
        "  “The ferry takes 55 minutes.”",
        "  — ferry.md, The ferry",
        "Also an answer",
        "  65 minutes (in winter)",
        "  — ferry.md, The ferry",
        "You may also want to know",
        "  “Dogs are carried free.” (a helpful lead)",
        "  — ferry.md, The ferry",
        "back to: The ferry",
        "searched: How long does it take?  (0.10 s)",
        "You can ask",
        "  1. When does the ferry sail?",
        "  2. Tell me about Dunmarrow.",
    ]


def test_nothing_is_marked_where_there_is_nothing():
    plain = Reply(
        text="Yes. Dogs are carried free.",
        query=QUERY,
        answerable=True,
        literal=(span("Dogs are carried free."),),
        affirmation="yes",
        switch="no-switch",
    )
    assert shown(plain) == [
        "Yes. Dogs are carried free.",
        "  — ferry.md, The ferry",
        "searched: How long does it take?  (0.10 s)",
    ]


def test_a_refusal_tells_what_was_searched_and_what_came_nearest():
    refused = Reply(
        text="I can't find that in these files.",
        query=Query("[SEP] Are cats carried?", "Are cats carried?"),
        hits=(Hit(FERRY, 1.0),),
    )
    assert shown(refused) == [
        "I can't find that in these files.",
        "  Nearest: “Dogs are carried free.”",
        "  — ferry.md, The ferry",
        "searched: [SEP] Are cats carried?  (0.10 s)",
    ]


class Echoing:
    """An assistant that repeats the question, and suggests what the test says."""

    def answer_alone(self, _: list[Dialogue], questions: list[str]) -> list[Reply]:
        return [Reply(text=questions[0], query=Query(questions[0]))]

    def suggest(self, _: list[Dialogue], replies: list[Reply]) -> list[Reply]:
        return [replace(replies[0], followups=FULL.followups)]


class Opened:
    assistant = Echoing()


def test_a_number_asks_the_suggested_question():
    console = Console(file=StringIO(), width=120)
    conversation = Conversation(console, Opened())
    for line in ("1", "2", "3"):
        conversation.take(line)
    asked = [turn.question for turn in conversation.dialogue.turns]
    assert asked == ["1", "Tell me about Dunmarrow.", "3"]  # nothing was suggested before the first


def test_control_codes_in_extras_do_not_reach_the_terminal():
    hostile = Passage("a.md", 0, 30, "It is\x1b[2J free for all dogs.", "A")
    extra = Pragmatic(Span(hostile, 0, 28), "next question")
    reply = Reply(
        text="x", query=QUERY, answerable=True, literal=(span("55 minutes"),), pragmatic=(extra,)
    )
    assert not re.search("\x1b", "\n".join(shown(reply)))
