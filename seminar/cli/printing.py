"""A reply for people: the answer, its words in their sentence and where they stand, what helps.

Text from files is untrusted: it is shown as text, never as markup or terminal control codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from seminar.answering.already_told import enclosing
from seminar.cli.consoles import printable
from seminar.types import Hit, Reply, Role, Span, Switch

BEGINNING = 200  # characters of a hit that are shown
ROLES: dict[Role, str] = {
    "next question": "answers your next question",
    "lead": "a helpful lead",
}
SWITCHES: dict[Switch, str] = {"switch-to-new": "a new topic", "switch-to-old": "back to"}


def print_asked(console: Console, question: str) -> None:
    """The question, where nobody has just typed it."""
    console.print(Text(f"\n» {printable(question)}", style="dim"))


def print_reply(console: Console, reply: Reply, seconds: float) -> None:
    console.print(_reply(reply, seconds))
    print_notes(console, reply)


def print_questions(console: Console, reply: Reply) -> None:
    """Where the conversation can go: questions that are known to be answered here."""
    if reply.followups:
        console.print(Text("You can ask", style="dim"))
    for number, question in enumerate(reply.followups, start=1):
        console.print(_indented(Text(f"{number}. {printable(question)}")))


def print_notes(console: Console, reply: Reply) -> None:
    """What the asker should know of how the reply came, a line each."""
    for note in reply.notes:
        console.print(Text(f"note: {printable(note)}", style="yellow"), soft_wrap=True)


def _reply(reply: Reply, seconds: float) -> RenderableType:
    searched = Text(f"searched: {printable(reply.query.text)}  ({seconds:.2f} s)", style="dim")
    if reply.meta:
        return Group(*_meta(reply))
    if not reply.answerable:
        return Group(Text(reply.text, style="yellow"), *_nearest(reply), searched)
    quoted = [Text(printable(reply.text), style="bold"), *_citations(reply)]
    return Group(*quoted, *_alternatives(reply), *_extras(reply), *_topic(reply), searched)


def _meta(reply: Reply) -> Iterator[RenderableType]:
    """A reply about the conversation: its own words first, what it quotes with the places."""
    first, *others = reply.text.split("\n")
    yield Text(printable(first), style="bold")
    if reply.literal:
        yield from _citations(replace(reply, text=first))
    else:
        yield from (Text(printable(line)) for line in others)


def _citations(reply: Reply) -> Iterator[RenderableType]:
    """The sentences of the answer's spans, where the text doesn't hold them, and their places."""
    cited = _cited(reply)
    for span, next_one in zip(cited, [*cited[1:], None], strict=True):
        quoted = quotation(span)
        if quoted.plain.strip("“”") not in printable(reply.text):  # a sentence needs no sentence
            yield _indented(quoted)
        if next_one is None or place(next_one) != place(span):
            yield _indented(place(span))


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
        yield _indented(Text(f"{printable(one.answer.span.text)}{reading}"))
        yield _indented(place(one.answer.span))


def _extras(reply: Reply) -> Iterator[RenderableType]:
    """What was not asked but may be wanted, and marked as such."""
    if reply.pragmatic:
        yield Text("You may also want to know", style="dim")
    for one in reply.pragmatic:
        yield _indented(Text(f"“{printable(one.span.text)}” ({ROLES[one.role]})"))
        yield _indented(place(one.span))


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
    """The sentence closest to a question that was not answered."""
    if reply.nearest is None:
        yield _indented(Text("Nothing there shares a word or a meaning with the question.", "dim"))
        return
    yield _indented(Text.assemble("Nearest: ", quotation(reply.nearest), style="dim"))
    yield _indented(place(reply.nearest))


def print_hits(console: Console, reply: Reply) -> None:
    """What was searched and expected, and what the retriever found, best first."""
    query = reply.query
    console.print(Text(f"searched: {printable(query.text)}", style="dim"))
    for one in query.representations:
        console.print(_indented(Text(f"{one.weight:.2f}  {printable(one.text)}", style="dim")))
    if query.priors:
        console.print(Text("expected:", style="dim"))
    for prior in query.priors:
        where = prior.source or f"a title that stands in “{prior.mention}”"
        console.print(_indented(Text(f"+{prior.weight:.2f}  {printable(where)}", style="dim")))
    console.print(Text("found:" if reply.hits else "no hits at hand", style="dim"))
    for rank, hit in enumerate(reply.hits, start=1):
        _print_hit(console, rank, hit)


def _print_hit(console: Console, rank: int, hit: Hit) -> None:
    passage = hit.passage
    facts = [f"{rank}.", f"{hit.score:.4f}", passage.source, passage.heading]
    begins = Text(printable(passage.text[:BEGINNING]), overflow="ellipsis", no_wrap=True)
    console.print(_indented(Text("  ".join(printable(fact) for fact in facts if fact), "cyan")))
    console.print(_indented(_indented(begins)))


def _indented(shown: RenderableType) -> Padding:
    return Padding(shown, (0, 0, 0, 2), expand=False)
