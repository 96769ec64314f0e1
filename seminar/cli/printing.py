"""Replies as text: the answer, its words in their sentence, the place of each, and suggestions.

Text from files is untrusted: it is printed as text, never as markup or terminal control codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from seminar.answering.already_told import enclosing
from seminar.cli.consoles import printable
from seminar.cli.places import Places, named_only, place_facts
from seminar.cli.prose import ROLES, clarification_lines, cost, prose_lines
from seminar.types import Hit, Reply, Span, Switch

BEGINNING = 200  # characters of a hit that are shown
SWITCHES: dict[Switch, str] = {"switch-to-new": "a new topic", "switch-to-old": "back to"}


def print_asked(console: Console, question: str) -> None:
    """Print a question that was not typed at the prompt."""
    console.print(Text(f"\n» {printable(question)}", style="dim"))


def print_reply(
    console: Console, reply: Reply, seconds: float, places: Places | None = None
) -> None:
    """Print a reply with its notes, but without suggestions; `places` prints the places."""
    console.print(_reply(reply, seconds, places or Places()))
    print_notes(console, reply)


def print_questions(console: Console, reply: Reply) -> None:
    """Print the suggested questions with their numbers."""
    if reply.followups:
        console.print(Text("You can ask", style="dim"))
    for number, question in enumerate(reply.followups, start=1):
        console.print(_indented(Text(f"{number}. {printable(question)}")))


def print_notes(console: Console, reply: Reply) -> None:
    """Print the notes of a reply, a line each."""
    for note in reply.notes:
        console.print(Text(f"note: {printable(note)}", style="yellow"), soft_wrap=True)


def _reply(reply: Reply, seconds: float, places: Places) -> RenderableType:
    tokens = f", {cost(reply.prose)}" if reply.prose else ""
    searched = f"searched: {printable(reply.query.text)}  ({seconds:.2f} s{tokens})"
    footer = Text(searched, style="dim")
    if reply.prose and reply.meta:
        return Group(*prose_lines(reply.prose, places), footer)
    if reply.meta:
        return Group(*_meta(reply, places))
    if not reply.answerable:
        return Group(Text(reply.text, style="yellow"), *_nearest(reply, places), footer)
    if reply.prose and reply.prose.segments:
        answer = [*prose_lines(reply.prose, places)]
        extras: list[RenderableType] = []  # they are among the sentences
    else:
        answer = [Text(printable(reply.text), style="bold"), *_citations(reply, places)]
        extras = [*_extras(reply, places)]
    others = [*_alternatives(reply, places)]
    others += clarification_lines(reply.prose) if reply.prose else ()
    return Group(*answer, *others, *extras, *_topic(reply), footer)


def _meta(reply: Reply, places: Places) -> Iterator[RenderableType]:
    """A reply about the conversation: its own words first, what it quotes with the places."""
    first, *others = reply.text.split("\n")
    yield Text(printable(first), style="bold")
    if reply.literal:
        yield from _citations(replace(reply, text=first), places)
    else:
        yield from (Text(printable(line)) for line in others)


def _citations(reply: Reply, places: Places) -> Iterator[RenderableType]:
    """The sentences of the answer's spans, where the text doesn't hold them, and their places."""
    cited = _cited(reply)
    for span, following in zip(cited, [*cited[1:], None], strict=True):
        quoted = quotation(span)
        if quoted.plain.strip("“”") not in printable(reply.text):  # an answer that is a sentence
            yield _indented(quoted)
        if following is None or _named(following) != _named(span):
            yield _indented(places.line(span))


def _cited(reply: Reply) -> Sequence[Span]:
    """The spans to quote: the name of a speaker is left out if the speaker's words follow."""
    first, *others = reply.literal
    return others if others and first.names_speaker else reply.literal


def _alternatives(reply: Reply, places: Places) -> Iterator[RenderableType]:
    """Further answers, each with its reading of the question and its place."""
    if reply.alternatives:
        yield Text("Also an answer", style="dim")
    for alternative in reply.alternatives:
        span = alternative.answer.span
        reading = f" ({printable(alternative.reading)})" if alternative.reading else ""
        yield _indented(Text(f"{printable(span.text)}{reading}"))
        yield _indented(places.line(span))


def _extras(reply: Reply, places: Places) -> Iterator[RenderableType]:
    """Sentences that were not asked for but may help, marked as such."""
    if reply.pragmatic:
        yield Text("You may also want to know", style="dim")
    for extra in reply.pragmatic:
        yield _indented(Text(f"“{printable(extra.span.text)}” ({ROLES[extra.role]})"))
        yield _indented(places.line(extra.span))


def _topic(reply: Reply) -> Iterator[RenderableType]:
    """The topic, if the conversation has switched to it."""
    if reply.switch in SWITCHES:
        yield Text(f"{SWITCHES[reply.switch]}: {printable(reply.topic)}", style="dim")


def quotation(span: Span) -> Text:
    """The sentence of a span, the span itself highlighted."""
    text, sentence, utterance = span.passage.text, enclosing(span), span.utterance
    start = sentence.start
    if utterance and start < utterance.start <= span.start:
        start = (
            utterance.start
        )  # the place names the speaker; only a span that is the name keeps it
    before, words, after = text[start : span.start], span.text, text[span.end : sentence.end]
    gap = " " if before[-1:].isspace() else "", " " if after[:1].isspace() else ""
    return Text.assemble(
        "“", printable(before), gap[0], (printable(words), "green"), gap[1], printable(after), "”"
    )


def _named(span: Span) -> list[str]:
    return place_facts(span, named_only(span))


def _nearest(reply: Reply, places: Places) -> Iterator[RenderableType]:
    """The sentence closest to a question that was not answered."""
    if reply.nearest is None:
        yield _indented(Text("Nothing there shares a word or a meaning with the question.", "dim"))
        return
    yield _indented(Text.assemble("Nearest: ", quotation(reply.nearest), style="dim"))
    yield _indented(places.line(reply.nearest))


def print_hits(console: Console, reply: Reply) -> None:
    """Print what was searched and expected, and the hits, best first."""
    query = reply.query
    console.print(Text(f"searched: {printable(query.text)}", style="dim"))
    for searched in query.representations:
        weighted = f"{searched.weight:.2f}  {printable(searched.text)}"
        console.print(_indented(Text(weighted, style="dim")))
    if query.priors:
        console.print(Text("expected:", style="dim"))
    for prior in query.priors:
        where = prior.source or f"a title that occurs in “{prior.mention}”"
        console.print(_indented(Text(f"+{prior.weight:.2f}  {printable(where)}", style="dim")))
    console.print(Text("found:" if reply.hits else "no hits", style="dim"))
    for rank, hit in enumerate(reply.hits, start=1):
        _print_hit(console, rank, hit)


def _print_hit(console: Console, rank: int, hit: Hit) -> None:
    passage = hit.passage
    facts = [f"{rank}.", f"{hit.score:.4f}", passage.source, passage.heading]
    beginning = Text(printable(passage.text[:BEGINNING]), overflow="ellipsis", no_wrap=True)
    console.print(_indented(Text("  ".join(printable(fact) for fact in facts if fact), "cyan")))
    console.print(_indented(_indented(beginning)))


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2), expand=False)
