"""A reply for people: the answer, its words in their sentence, where they stand, what was searched.

Text from files is untrusted: it is shown as text, never as markup or terminal control codes.
"""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seminar.text import sentences
from seminar.types import Reply, Span

INDENT = (0, 0, 0, 2)


def printable(text: str) -> str:
    """The text on one line, without the control characters that would drive a terminal.

    >>> printable("a\\x1b[31m b\\n c")
    'a[31m b c'
    """
    return " ".join("".join(c if c.isprintable() else " " * c.isspace() for c in text).split())


def print_reply(console: Console, reply: Reply, seconds: float) -> None:
    console.print(_reply(reply, seconds))
    print_notes(console, reply)


def print_notes(console: Console, reply: Reply) -> None:
    """What the asker should know of how the reply came, a line each."""
    for note in reply.notes:
        console.print(Text(f"note: {printable(note)}", style="yellow"), soft_wrap=True)


def _reply(reply: Reply, seconds: float) -> RenderableType:
    searched = Text(f"searched: {printable(reply.query.text)}  ({seconds:.2f} s)", style="dim")
    if not reply.answerable:
        return Group(Text(reply.text, style="yellow"), Padding(_nearest(reply), INDENT), searched)
    parts: list[RenderableType] = [Text(printable(reply.text), style="bold")]
    for span in reply.literal:
        quoted = quotation(span)
        if quoted.plain != f"“{printable(reply.text)}”":  # a whole sentence needs no sentence
            parts.append(Padding(quoted, INDENT))
        parts.append(Padding(place(span), INDENT))
    return Group(*parts, searched)


def quotation(span: Span) -> Text:
    """The span in its sentence, the span itself marked."""
    text = span.passage.text
    touched = [(s, e) for s, e in sentences(text) if s < span.end and span.start < e]
    start = min([span.start, *(s for s, _ in touched)])
    end = max([span.end, *(e for _, e in touched)])
    before, words, after = text[start : span.start], span.text, text[span.end : end]
    gap = " " if before[-1:].isspace() else "", " " if after[:1].isspace() else ""
    return Text.assemble(
        "“", printable(before), gap[0], (printable(words), "green"), gap[1], printable(after), "”"
    )


def place(span: Span) -> Text:
    """Where the span stands: file, title, section, page, who said it and when."""
    passage, utterance = span.passage, span.utterance
    facts = [span.source, passage.heading if passage.heading != passage.source else ""]
    facts += [f"page {span.page}" if span.page else ""]
    if utterance:
        time = utterance.time
        facts += [utterance.speaker, time.isoformat(" ", "minutes") if time else ""]
    return Text("— " + ", ".join(printable(fact) for fact in facts if fact), style="cyan")


def _nearest(reply: Reply) -> Text:
    if not reply.hits:
        return Text("Nothing there shares a word or a meaning with the question.", style="dim")
    near = reply.hits[0].passage
    return Text(f"Nearest: {printable(near.source)}, {printable(near.heading)}", style="dim")


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
