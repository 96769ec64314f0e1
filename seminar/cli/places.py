"""The places of quotations: speaker, file and line, title and section, linked where they open."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.style import Style
from rich.text import Text

from seminar.citations.names import citation
from seminar.cli.consoles import printable
from seminar.cli.links import address, shows_links
from seminar.locations import Location
from seminar.types import Span

Locate = Callable[[Span], Location]


def named_only(span: Span) -> Location:
    """The location of a span whose file is not at hand."""
    return Location(citation(span))


class Places:
    """The places that were printed, in their order; numbered, they can be opened by number."""

    def __init__(
        self, locate: Locate = named_only, *, linked: bool = False, numbered: bool = False
    ) -> None:
        self.locate = locate
        self.linked = linked
        self.numbered = numbered
        self.spans: list[Span] = []

    def line(self, span: Span) -> Text:
        """The place of a span in a line, remembered under its number."""
        self.spans.append(span)
        location = self.locate(span)
        facts = [printable(fact) for fact in place_facts(span, location) if fact]
        url = address(location) if self.linked else ""
        number = f"[{len(self.spans)}] " if self.numbered else ""
        line = Text(f"— {number}", style="cyan")
        for at, fact in enumerate(facts):
            linked = url and fact == printable(location.citation)
            line.append(", " if at else "").append(fact, Style(link=url) if linked else None)
        return line


def place_facts(span: Span, location: Location) -> list[str]:
    """Speaker and time of a message, the citation, title and section, and cells beside a line."""
    passage, utterance = span.passage, span.utterance
    facts: list[str] = []
    heading = passage.heading
    if utterance:
        time = utterance.time
        facts += [utterance.speaker, time.isoformat(" ", "minutes") if time else ""]
        heading = passage.title  # the section of a cut message is its speaker again
    facts += [location.citation, heading if heading != passage.source else ""]
    if span.line is not None:  # else the citation has them
        facts += [span.place or (f"page {span.page}" if span.page else "")]
    return facts


def choose_links(console: Console, chosen: bool | None) -> bool:
    """Whether places are hyperlinks: as chosen, in a terminal; else where it shows them."""
    if chosen is None:
        return shows_links(console)
    return chosen and console.is_terminal
