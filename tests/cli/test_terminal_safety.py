"""No control character of a file's text, name or metadata reaches the terminal.

Printed lines are compared with what this program itself prints: none but line ends where nothing
is styled, and styles and hyperlinks of its own making in a terminal.
"""

import json
import re
from io import StringIO
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from seminar.cli.chat import Chat
from seminar.cli.consoles import printable, printable_lines
from seminar.cli.places import Places
from seminar.cli.printing import print_hits, print_notes, print_questions, print_reply
from seminar.cli.show import print_place
from seminar.locations import Location, locate
from seminar.types import (
    Alternative,
    Answer,
    Hit,
    LineMark,
    Passage,
    Place,
    Pragmatic,
    Prior,
    Query,
    Reply,
    Representation,
    Span,
    Utterance,
)

OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;(?:id=\d+;(?:https|file|vscode)://[!-~]+|;)\x1b\\")
ATTACKS = st.sampled_from(
    (
        *("\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x9b31m", "\x9d", "\x07", "\r"),
        *("\u202e", "\u2066", "\u2069", "\u061c", "\u200b", "\x00", "\x7f", "\x85", "\u2028"),
        *("\x08", "\ud800"),
    )
)
HOSTILE = st.lists(st.one_of(ATTACKS, st.text(max_size=8)), min_size=1, max_size=6).map("".join)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """A span of a document or of a message, with hostile text, names and places."""
    text = draw(HOSTILE) + "It takes 55 minutes." + draw(HOSTILE)
    source, speaker, key = draw(HOSTILE), draw(HOSTILE), draw(HOSTILE)
    marks = draw(st.sampled_from([(), (LineMark(0, 3),)]))
    message = Utterance(key, speaker, text, None, 0, len(text), source, marks)
    passage = Passage(
        source=source,
        start=0,
        end=len(text),
        text=text,
        title=draw(HOSTILE),
        section=draw(HOSTILE),
        utterances=draw(st.sampled_from([(), (message,)])),
        lines=marks,
        places=draw(st.sampled_from([(), (Place(draw(HOSTILE), 0, len(text)),)])),
    )
    start = text.index("55 minutes")
    return Span(passage, start, start + 10)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    span, other = draw(spans()), draw(spans())
    answered = draw(st.booleans())
    query = Query(
        draw(HOSTILE),
        representations=(Representation(draw(HOSTILE)),),
        priors=(Prior(1.0, source=draw(HOSTILE)), Prior(1.0, mention=draw(HOSTILE))),
    )
    return Reply(
        text=draw(HOSTILE) if answered else "I can't find that in these files.",
        query=query,
        hits=(Hit(span.passage, 0.5),),
        answerable=answered,
        literal=(span, other) if answered else (),
        pragmatic=(Pragmatic(other, "lead"),),
        alternatives=(Alternative(Answer(other, 0.4), draw(HOSTILE)),),
        followups=(draw(HOSTILE),),
        topic=draw(HOSTILE),
        switch="switch-to-new",
        notes=(draw(HOSTILE),),
        nearest=other,
        meta=answered and draw(st.booleans()),
    )


def consoles_of(width: int = 100) -> list[Console]:
    plain = Console(file=StringIO(), width=width, highlight=False)
    styled = Console(
        file=StringIO(), width=width, highlight=False, force_terminal=True, color_system="truecolor"
    )
    return [plain, styled]


def assert_safe(console: Console) -> None:
    file = console.file
    assert isinstance(file, StringIO)
    left = OWN.sub("", file.getvalue()) if console.is_terminal else file.getvalue()
    assert [c for c in left if not c.isprintable() and c != "\n"] == []


def hostile_location(span: Span) -> Location:
    """A location whose file has the hostile name too, and a permalink that is no address."""
    name = span.passage.source.replace("/", "_").replace("\0", "_").encode(errors="replace")
    return Location(
        locate(span, {}).citation, Path("/tmp") / name.decode()[:40], 3, 1, None, span.passage.title
    )


@QUICK
@given(reply=replies())
def test_reply_hits_and_questions_print_no_control(reply: Reply):
    for console in consoles_of():
        places = Places(hostile_location, linked=console.is_terminal, numbered=True)
        print_reply(console, reply, 0.1, places)
        print_questions(console, reply)
        print_notes(console, reply)
        print_hits(console, reply)
        assert_safe(console)


class OneSource:
    """An index of one source, as far as a place is shown."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage

    def passages(self, sources: list[str]) -> list[list[Passage]]:
        return [[self.passage] for _ in sources]


class Shown:
    """A session, as far as a chat lists and shows."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self.opened = self
        self.index = OneSource(span.passage)
        self.sources = [span.passage.source]

    def locate(self, span: Span) -> Location:
        return hostile_location(span)

    def find(self, _: str) -> Span:
        return self.span

    def scopes(self, _: str) -> dict[str, int]:
        return {self.span.passage.source: 2}


@QUICK
@given(span=spans())
def test_place_and_lists_print_no_control(span: Span):
    for console in consoles_of():
        print_place(console, Shown(span), span, linked=console.is_terminal)
        chat = Chat(console, console, Shown(span), reopen=Shown)
        for line in ("/sources", "/scopes", "/show x:1", "/help", f"/{span.passage.title}"):
            chat.handle(line)
        chat.note(span.passage.title)
        assert_safe(console)


@given(text=st.one_of(HOSTILE, st.text()))
def test_printable_text_is_printable_on_its_lines(text: str):
    assert printable(text).isprintable()
    assert all(line.isprintable() for line in printable_lines(text).split("\n"))


def test_file_with_hostile_name_and_text_is_asked_shown_and_listed(seminar, tmp_path: Path):
    folder = tmp_path / "files"
    folder.mkdir()
    name = "evil\x1b[2J\x9b\u202e.txt"
    text = "The vault\x9b31m of \u202eHarbour \x1b]0;owned\x07Street is opened by Ada Holt.\n"
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "bad\x1b[2J\u202e.md").write_bytes(b"\x00" * 50)
    question = "Who opens the vault?"
    for command in (
        ("ask", folder, "-q", question),
        ("ask", folder, "-q", question, "--json"),
        ("index", folder, "--to", tmp_path / "index"),
        ("index", folder, "--to", tmp_path / "index", "--json"),
        ("doctor", folder),
        ("ask", "--\x1b[2Jno\u202esuch"),
        ("ask", tmp_path / "no\x1b[2J\u202esuch", "-q", question),
    ):
        ended = seminar(*command)
        printed = f"{ended.out}{ended.err}"
        assert printed.strip()
        assert [c for c in printed if not c.isprintable() and c != "\n"] == [], command
    record = json.loads(seminar("ask", folder, "-q", question, "--json").out)
    [span] = record["literal"]
    assert "\u202e" in span["source"]  # escaped in JSON, and whole again when it is read
    for command in (("show", folder, span["id"]), ("show", folder, span["id"], "--json")):
        ended = seminar(*command)
        assert (ended.code, "Ada Holt" in ended.out) == (0, True)
        assert [c for c in ended.out if not c.isprintable() and c != "\n"] == []
