"""Prose of a model in the terminal: a draft while it is written, then what is borne out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from seminar.cli.consoles import counted, printable
from seminar.cli.places import Places
from seminar.types import Prose, Reply, Role, Segment, Span

SHOWN = 1_500  # characters of a draft, from its end
NARROWEST, WIDEST = 28, 50  # characters of a column of a comparison
ROLES: dict[Role, str] = {
    "next question": "answers your next question",
    "lead": "a helpful lead",
}


Key = tuple[str, int, int]
Numbers = Mapping[Key, int]


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
    for line in clarification_lines(prose):
        console.print(line)
    console.print(Text(f"({cost(prose)})", style="dim"))


def _answer(reply: Reply) -> tuple[object, ...]:
    return reply.literal, reply.affirmation


def prose_lines(prose: Prose, places: Places) -> Iterator[RenderableType]:
    """The sentences with numbers of their citations, then the citations by number."""
    first = len(places.spans) + 1 if places.numbered else 1
    numbers = {place: number for number, place in enumerate(_cited(prose), start=first)}
    if prose.sides:
        columns = [_of_side(prose, side, numbers) for side in prose.sides]
        yield Comparison([printable(side) for side in prose.sides], columns)
    others = [one for one in prose.segments if not (prose.sides and one.side)]
    if others:
        yield Text(" ").join(_sentence(one, numbers) for one in others)
    for place, span in _cited(prose).items():
        mark = "" if places.numbered else f"[{numbers[place]}] "
        yield _indented(Text.assemble((mark, "cyan"), f"“{printable(span.text)}”"))
        yield _indented(places.line(span))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column of sentences for each compared thing, or one after another where they don't fit."""

    sides: Sequence[str]
    columns: Sequence[Sequence[Text]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < NARROWEST * len(self.sides):
            for side, sentences in zip(self.sides, self.columns, strict=True):
                yield Text(side, "underline")
                yield from sentences
            return
        width = min(options.max_width, WIDEST * len(self.sides))
        table = Table(width=width, show_lines=True)
        for side in self.sides:
            table.add_column(Text(side), ratio=1)
        for row in zip_longest(*self.columns, fillvalue=Text()):
            table.add_row(*row)
        yield table


def clarification_lines(prose: Prose) -> Iterator[RenderableType]:
    """The question that asks which reading is meant, if there are several."""
    if prose.clarification:
        yield Text(printable(prose.clarification), style="italic")


def cost(prose: Prose) -> str:
    """The tokens of a reply, for its footer."""
    return f"{counted(prose.read, 'token')} read, {prose.written:,} written"


def _of_side(prose: Prose, side: str, numbers: Numbers) -> list[Text]:
    return [_sentence(one, numbers) for one in prose.segments if one.side == side]


def _sentence(segment: Segment, numbers: Numbers) -> Text:
    """A sentence with the numbers of its citations, and why it was added, if it was."""
    text = Text(printable(segment.text), _style(segment))
    marks = sorted({numbers[_key(span)] for span in segment.spans})
    text.append("".join(f" [{number}]" for number in marks) or " (not borne out)", "cyan")
    if segment.role:
        text.append(f" ({ROLES[segment.role]})", "dim")
    return text


def _style(segment: Segment) -> str:
    if not segment.spans:
        return "strike dim"
    return "" if segment.role else "bold"


def _cited(prose: Prose) -> dict[Key, Span]:
    """The cited words, each once, in the order in which they are cited."""
    return {_key(span): span for segment in prose.segments for span in segment.spans}


def _key(span: Span) -> Key:
    return span.passage.id, span.start, span.end


def _indented(content: RenderableType) -> Padding:
    return Padding(content, (0, 0, 0, 2), expand=False)
