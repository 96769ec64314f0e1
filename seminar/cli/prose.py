"""Prose of a model in the terminal: a draft while it is written, then what is borne out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.text import Text

from seminar.cli.consoles import counted, printable
from seminar.cli.places import Places
from seminar.types import Prose, Reply, Span

SHOWN = 1_500  # characters of a draft, from its end


@contextmanager
def draft(console: Console) -> Iterator[Callable[[str], None]]:
    """Show what a model writes, as it comes, until it is checked; nothing where none can be."""
    if not console.is_terminal:
        yield lambda _: None
        return
    pieces: list[str] = []
    with Live(console=console, transient=True, refresh_per_second=8) as live:

        def listen(piece: str) -> None:
            pieces.append(piece)
            text = printable("".join(pieces)[-SHOWN:])
            live.update(Text(f"writing: {text}", style="dim italic"))

        yield listen


def print_written(console: Console, quick: Reply, reply: Reply, places: Places) -> None:
    """Print what the model added to the quick reply, or what became of it."""
    prose = reply.prose
    if prose is None:
        return
    if prose.segments:
        for line in prose_lines(prose, places):
            console.print(line)
    elif not reply.answerable and quick.answerable:
        console.print(Text(f"Read again with the language model: {reply.text}", style="yellow"))
    elif reply.answerable and _answer(reply) != _answer(quick):
        console.print(Text(f"Read again: {printable(reply.text)}", style="bold"))
        for span in reply.literal[:1]:
            console.print(_indented(places.line(span)))
    console.print(Text(f"({cost(prose)})", style="dim"))


def _answer(reply: Reply) -> tuple[object, ...]:
    return reply.literal, reply.affirmation


def prose_lines(prose: Prose, places: Places) -> Iterator[RenderableType]:
    """The sentences with numbers of their citations, then the citations by number."""
    first = len(places.spans) + 1 if places.numbered else 1
    numbers = {place: number for number, place in enumerate(_cited(prose), start=first)}
    text = Text()
    for segment in prose.segments:
        text.append(printable(segment.text), "bold" if segment.spans else "strike dim")
        marks = sorted({numbers[_key(span)] for span in segment.spans})
        text.append("".join(f" [{number}]" for number in marks) or " (not borne out)", "cyan")
        text.append(" ")
    text.rstrip()
    yield text
    for place, span in _cited(prose).items():
        mark = "" if places.numbered else f"[{numbers[place]}] "
        yield _indented(Text.assemble((mark, "cyan"), f"“{printable(span.text)}”"))
        yield _indented(places.line(span))


def cost(prose: Prose) -> str:
    """The tokens of a reply, for its footer."""
    return f"{counted(prose.read, 'token')} read, {prose.written:,} written"


def _cited(prose: Prose) -> dict[tuple[str, int, int], Span]:
    """The cited words, each once, in the order in which they are cited."""
    return {_key(span): span for segment in prose.segments for span in segment.spans}


def _key(span: Span) -> tuple[str, int, int]:
    return span.passage.id, span.start, span.end


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2), expand=False)
