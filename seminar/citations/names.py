"""How a place is named: `choir.md:13:24` as editors open it, `report.pdf#page=3`, and ids of spans.

The parameters are spans; this package is below `types`, so that replies can show themselves.
"""

from __future__ import annotations

import re
from typing import Protocol

_ID = re.compile(r"(.+)#(\d{1,15})-(\d{1,15})", re.DOTALL)
_LINE = re.compile(r"(.+?):(\d{1,9})(?::(\d{1,9}))?(?:#(.+))?", re.DOTALL)
_PAGE = re.compile(r"(.+)#page=(\d{1,9})", re.DOTALL)


class Origin(Protocol):
    """A passage, as far as it names places."""

    @property
    def source(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def heading(self) -> str: ...


class Message(Protocol):
    """A message, as far as it names places."""

    @property
    def source(self) -> str: ...
    @property
    def key(self) -> str: ...


class Cited(Protocol):
    """A span, as far as it names places."""

    @property
    def passage(self) -> Origin: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def line(self) -> int | None: ...
    @property
    def page(self) -> int | None: ...
    @property
    def place(self) -> str | None: ...
    @property
    def utterance(self) -> Message | None: ...


def span_id(span: Cited) -> str:
    """The id of a span: its document and its offsets in the document's text.

    It is `choir.md#120-124`, the form of a passage's id, and `seminar show` finds it.
    """
    passage = span.passage
    return f"{passage.source}#{passage.start + span.start}-{passage.start + span.end}"


def citation(span: Cited, column: int | None = None) -> str:
    """The source of a span with its line, page or cells.

    These are `choir.md:13` (`choir.md:13:24` with a column), `panel.txt:5#2` of a message,
    `report.pdf#page=3` and `fares.xlsx#Fares!A2:B2`.
    """
    if span.line is not None:
        line = f"{span.line}:{column}" if column else str(span.line)
        message = span.utterance
        if message and message.source:
            return f"{message.source}:{line}#{message.key}"
        return f"{span.source}:{line}"
    if span.place:
        return f"{span.source}#{span.place}"
    return f"{span.source}#page={span.page}" if span.page else span.source


def split_id(name: str) -> tuple[str, int, int] | None:
    """The document and offsets of a span's id.

    >>> split_id("choir.md#120-124")
    ('choir.md', 120, 124)
    """
    match = _ID.fullmatch(name)
    return (match.group(1), int(match.group(2)), int(match.group(3))) if match else None


def split_line(name: str) -> tuple[str, int, str] | None:
    """The file, line and message of a citation; a column is left out.

    >>> split_line("choir.md:13:24"), split_line("panel.txt:5#2")
    (('choir.md', 13, ''), ('panel.txt', 5, '2'))
    """
    match = _LINE.fullmatch(name)
    return (match.group(1), int(match.group(2)), match.group(4) or "") if match else None


def split_page(name: str) -> tuple[str, int] | None:
    """The file and page of a citation.

    >>> split_page("report.pdf#page=3")
    ('report.pdf', 3)
    """
    match = _PAGE.fullmatch(name)
    return (match.group(1), int(match.group(2))) if match else None
