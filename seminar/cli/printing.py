"""A reply for people: the answer, its words in their sentence and where they stand, what helps.

Text from files is untrusted: it is shown as text, never as markup or terminal control codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seminar.answering.composing import nearest
from seminar.answering.said import enclosing
from seminar.types import Reply, Role, Span, Switch

INDENT = (0, 0, 0, 2)
ROLES: dict[Role, str] = {
    "next question": "answers your next question",
    "lead": "a helpful lead",
}
SWITCHES: dict[Switch, str] = {"switch-to-new": "a new topic", "switch-to-old": "back to"}


def printable(text: str) -> str:
    """The text on one line, without the control characters that would drive a terminal.

    >>> printable("a\\x1b[31m b\\n c")
    'a[31m b c'
    """
    return " ".join("".join(c if c.isprintable() else " " * c.isspace() for c in text).split())


def print_reply(console: Console, reply: Reply, seconds: float) -> None:
    console.print(_reply(reply, seconds))
    print_notes(console, reply)


def print_questions(console: Console, reply: Reply) -> None:
    """Where the conversation can go: questions that are known to be answered here."""
    if reply.followups:
        console.print(Text("You can ask", style="dim"))
    for number, question in enumerate(reply.followups, start=1):
        console.print(Padding(Text(f"{number}. {printable(question)}"), INDENT))


def print_notes(console: Console, reply: Reply) -> None:
    """What the asker should know of how the reply came, a line each."""
    for note in reply.notes:
        console.print(Text(f"note: {printable(note)}", style="yellow"), soft_wrap=True)


def _reply(reply: Reply, seconds: float) -> RenderableType:
    searched = Text(f"searched: {printable(reply.query.text)}  ({seconds:.2f} s)", style="dim")
    if not reply.answerable:
        return Group(Text(reply.text, style="yellow"), *_nearest(reply), searched)
    parts: list[RenderableType] = [Text(printable(reply.text), style="bold")]
    cited = _cited(reply)
    for span, next_one in zip(cited, [*cited[1:], None], strict=True):
        quoted = quotation(span)
        if quoted.plain.strip("“”") not in printable(reply.text):  # a sentence needs no sentence
            parts.append(Padding(quoted, INDENT))
        if next_one is None or place(next_one) != place(span):
            parts.append(Padding(place(span), INDENT))
    return Group(*parts, *_alternatives(reply), *_extras(reply), *_topic(reply), searched)


def _cited(reply: Reply) -> Sequence[Span]:
    """The spans to show: a speaker's name needs no quotation where what was said follows."""
    first, *others = reply.literal
    return others if others and first.names_speaker else reply.literal


def _alternatives(reply: Reply) -> Iterator[RenderableType]:
    """The other answers, each with what it is an answer to and where it stands."""
    if reply.alternatives:
        yield Text("Also an answer", style="dim")
    for one in reply.alternatives:
        reading = f" ({printable(one.reading)})" if one.reading else ""
        yield Padding(Text(f"{printable(one.answer.span.text)}{reading}"), INDENT)
        yield Padding(place(one.answer.span), INDENT)


def _extras(reply: Reply) -> Iterator[RenderableType]:
    """What was not asked but may be wanted, and marked as such."""
    if reply.pragmatic:
        yield Text("You may also want to know", style="dim")
    for one in reply.pragmatic:
        yield Padding(Text(f"“{printable(one.span.text)}” ({ROLES[one.role]})"), INDENT)
        yield Padding(place(one.span), INDENT)


def _topic(reply: Reply) -> Iterator[RenderableType]:
    """Where the conversation has gone."""
    if reply.switch in SWITCHES:
        yield Text(f"{SWITCHES[reply.switch]}: {printable(reply.topic)}", style="dim")


def quotation(span: Span) -> Text:
    """The span in its sentence, the span itself marked."""
    text, whole, said = span.passage.text, enclosing(span), span.utterance
    # Who speaks is told with the place; only a span that is the name keeps it before the words.
    start = said.start if said and whole.start < said.start <= span.start else whole.start
    before, words, after = text[start : span.start], span.text, text[span.end : whole.end]
    gap = " " if before[-1:].isspace() else "", " " if after[:1].isspace() else ""
    return Text.assemble(
        "“", printable(before), gap[0], (printable(words), "green"), gap[1], printable(after), "”"
    )


def place(span: Span) -> Text:
    """Where the span stands: who said it and when, file, title, section, page."""
    passage, utterance = span.passage, span.utterance
    facts: list[str] = []
    heading = passage.heading
    if utterance:
        time = utterance.time
        facts += [utterance.speaker, time.isoformat(" ", "minutes") if time else ""]
        heading = passage.title  # the section of a cut message is its speaker once more
    facts += [span.source, heading if heading != passage.source else ""]
    facts += [f"page {span.page}" if span.page else ""]
    return Text("— " + ", ".join(printable(fact) for fact in facts if fact), style="cyan")


def _nearest(reply: Reply) -> Iterator[RenderableType]:
    """What came nearest, which is no answer."""
    near = nearest(reply)
    if near is None:
        yield Padding(
            Text("Nothing there shares a word or a meaning with the question.", "dim"), INDENT
        )
        return
    yield Padding(Text.assemble("Nearest: ", quotation(near), style="dim"), INDENT)
    yield Padding(place(near), INDENT)


def print_hits(console: Console, reply: Reply) -> None:
    """What the retriever found, best first: the reasons behind a reply."""
    table = Table("", "score", "source", "section", "begins", box=None, pad_edge=False)
    for rank, hit in enumerate(reply.hits, start=1):
        passage = hit.passage
        table.add_row(
            str(rank),
            f"{hit.score:.4f}",
            Text(printable(passage.source)),
            Text(printable(passage.section)),
            Text(
                printable(" ".join(passage.text[:200].split())), overflow="ellipsis", no_wrap=True
            ),
        )
    console.print(Text(f"searched: {printable(reply.query.text)}", style="dim"))
    console.print(table)
