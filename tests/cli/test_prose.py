"""Prose in the terminal: numbers of citations, marks, costs, and nothing that a terminal obeys."""

from dataclasses import replace
from io import StringIO

from rich.console import Console

from seminar.cli.places import Places
from seminar.cli.printing import print_reply
from seminar.cli.prose import draft, print_written
from seminar.types import Passage, Pragmatic, Prose, Query, Reply, Segment, Span

TEXT = "The ferry crosses in 55 minutes. Dogs travel free."
PASSAGE = Passage("ferry.md", 0, len(TEXT), TEXT, title="Ferry")
CROSSING, DOGS = Span(PASSAGE, 0, 32), Span(PASSAGE, 33, len(TEXT))
QUICK = Reply("55 minutes", Query("How long?"), answerable=True, literal=(Span(PASSAGE, 21, 31),))
PROSE = Prose(
    (
        Segment("Dogs travel free.", (DOGS,), 1.0),
        Segment("It takes \x1b[31m55 minutes, dogs too.", (CROSSING, DOGS), 0.9),
        Segment("It flies."),
    ),
    1,
    1200,
    34,
)
WRITTEN = replace(QUICK, prose=PROSE)


def console() -> Console:
    return Console(file=StringIO(), width=120)


def printed(out: Console) -> str:
    file = out.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def test_sentences_have_the_numbers_of_their_words():
    out = console()
    print_reply(out, WRITTEN, 1.5)
    text = printed(out)
    assert (
        "Dogs travel free. [1] It takes [31m55 minutes, dogs too. [1] [2] It flies. (not borne"
        in text
    )
    assert "[1] “Dogs travel free.”" in text
    assert "[2] “The ferry crosses in 55 minutes.”" in text
    assert "1,200 tokens read, 34 written" in text
    assert "\x1b" not in text


def test_numbers_go_on_where_places_are_numbered():
    out, places = console(), Places(numbered=True)
    print_reply(out, QUICK, 0.3, places)
    print_written(out, QUICK, WRITTEN, places)
    text = printed(out)
    assert "Dogs travel free. [2]" in text
    assert "— [3] ferry.md" in text
    assert [span.text for span in places.spans[1:]] == [DOGS.text, CROSSING.text]


SIDES = Prose(
    (
        replace(PROSE.segments[0], side="the ferry"),
        Segment("It takes 55 minutes.", (CROSSING,), 0.9, side="the \x1b[31mbus"),
        Segment("Both cross.", (CROSSING, DOGS), 0.9),
    ),
    clarification="Which do you mean: in winter, or in summer?",
)


def test_a_comparison_is_a_table_where_it_fits():
    out = console()
    print_reply(out, replace(WRITTEN, prose=SIDES), 1.5)
    lines = printed(out).splitlines()
    assert [cell.strip() for cell in lines[1].strip("┃").split("┃")] == ["the ferry", "the [31mbus"]
    assert "Dogs travel free. [1]" in lines[3]
    assert "It takes 55 minutes. [2]" in lines[3]
    assert "Both cross. [1] [2]" in printed(out)
    assert "Which do you mean: in winter, or in summer?" in printed(out)


def test_a_comparison_is_a_list_where_the_terminal_is_narrow():
    out = Console(file=StringIO(), width=40)
    print_reply(out, replace(WRITTEN, prose=SIDES), 1.5)
    assert printed(out).splitlines()[:2] == ["the ferry", "Dogs travel free. [1]"]


def test_what_was_not_asked_for_is_told_once_with_its_reason():
    out = console()
    added = replace(PROSE.segments[0], role="lead")
    prose = replace(PROSE, segments=(PROSE.segments[1], added))
    print_reply(out, replace(WRITTEN, prose=prose, pragmatic=(Pragmatic(DOGS, "lead"),)), 1.5)
    assert "Dogs travel free. [2] (a helpful lead)" in printed(out)
    assert "You may also want to know" not in printed(out)


def test_a_refusal_after_a_quick_answer_is_told():
    out = console()
    refused = Reply("I can't find that in these files.", QUICK.query, prose=Prose((), 0, 10, 2))
    print_written(out, QUICK, refused, Places())
    assert "Read again with the language model: I can't find that" in printed(out)


def test_another_answer_is_told():
    out = console()
    other = replace(QUICK, text="Dogs", literal=(DOGS,), prose=Prose((), 0, 10, 2))
    print_written(out, QUICK, other, Places())
    assert "Read again: Dogs" in printed(out)


def test_a_draft_leaves_nothing_where_there_is_no_terminal():
    out = console()
    with draft(out) as listen:
        listen("The ferry")
    assert printed(out) == ""


def test_a_draft_is_shown_and_then_gone_in_a_terminal():
    out = Console(file=StringIO(), width=80, force_terminal=True)
    with draft(out) as listen:
        listen("The \x1b]0;evil\x07 ferry")
    text = printed(out)
    assert "writing: The ]0;evil ferry" in text
    assert "\x1b]0;" not in text
    assert text.rstrip("\n").endswith("\x1b[2K")
