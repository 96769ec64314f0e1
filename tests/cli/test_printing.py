import re
from io import StringIO

from rich.console import Console

from seminar.cli.printing import print_hits, print_questions, print_reply
from seminar.types import (
    Alternative,
    Answer,
    Hit,
    Passage,
    Pragmatic,
    Prior,
    Query,
    Reply,
    Representation,
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
    return printed(console)


def printed(console: Console) -> list[str]:
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue().splitlines()


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


def test_answer_is_printed_first_and_the_rest_is_labelled():
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


def test_plain_reply_has_no_labels():
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


def test_unanswered_reply_shows_nearest_sentence_and_query():
    refused = Reply(
        text="I can't find that in these files.",
        query=Query("[SEP] Are cats carried?", "Are cats carried?"),
        hits=(Hit(FERRY, 1.0),),
        nearest=span("Dogs are carried free."),
    )
    assert shown(refused) == [
        "I can't find that in these files.",
        "  Nearest: “Dogs are carried free.”",
        "  — ferry.md, The ferry",
        "searched: [SEP] Are cats carried?  (0.10 s)",
    ]


def test_hits_are_printed_with_representations_and_priors():
    query = Query(
        "The ferry: How long?",
        representations=(Representation("How long?", 0.1), Representation("The ferry: How long?")),
        priors=(Prior(1.5, source="ferry.md"), Prior(0.8, mention="How long?")),
    )
    console = Console(file=StringIO(), width=60)
    print_hits(console, Reply(text="", query=query, hits=(Hit(FERRY, 0.25),)))
    assert printed(console) == [
        "searched: The ferry: How long?",
        "  0.10  How long?",
        "  1.00  The ferry: How long?",
        "expected:",
        "  +1.50  ferry.md",
        "  +0.80  a title that occurs in “How long?”",
        "found:",
        "  1.  0.2500  ferry.md  The ferry",
        "    The ferry takes 55 minutes. In winter it takes 65 minut…",
    ]


def test_control_codes_in_extras_are_not_printed():
    hostile = Passage("a.md", 0, 30, "It is\x1b[2J free for all dogs.", "A")
    extra = Pragmatic(Span(hostile, 0, 28), "next question")
    reply = Reply(
        text="x", query=QUERY, answerable=True, literal=(span("55 minutes"),), pragmatic=(extra,)
    )
    assert not re.search("\x1b", "\n".join(shown(reply)))
