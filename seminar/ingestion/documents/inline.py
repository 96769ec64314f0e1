"""Building the text of one block: spaces collapse, links and lines keep their offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from seminar.ingestion.streams.decoding import clean
from seminar.text import strip
from seminar.types import LineMark, Link

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, row or heading; offsets of links and lines count from its start."""

    text: str
    links: tuple[Link, ...] = ()
    lines: tuple[LineMark, ...] = ()


class InlineBuilder:
    """Collects the text, links and line marks of one block, in order."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._space = False  # a space is due before the next visible character
        self._open: list[tuple[int, str]] = []  # where each open anchor began, and its target
        self._links: list[Link] = []
        self._lines: list[LineMark] = []
        self._label: tuple[str, str] | None = None  # what precedes the text of the cell that began

    @property
    def length(self) -> int:
        """How many characters the block has so far."""
        return self._length

    def since(self, start: int) -> str:
        """The text of the block from an offset on."""
        return "".join(self._parts)[start:]

    def mark_line(self, number: int) -> None:
        """Record that the text added next comes from this line of the source."""
        if self._lines and self._lines[-1].line == number:
            return
        if self._lines and self._lines[-1].start == self._length:
            self._lines.pop()
        self._lines.append(LineMark(self._length, number))

    def add(self, text: str) -> None:
        """Add text, with every run of space as one space."""
        collapsed = " ".join((text if text.isascii() else clean(text)).split())
        if not collapsed:
            self._space = self._space or bool(text)
            return
        if (self._space or text[0].isspace()) and self._length and self._parts[-1] != "\n":
            collapsed = " " + collapsed
        self._append(collapsed)
        self._space = text[-1].isspace()

    def add_verbatim(self, text: str) -> None:
        """Add text whose line breaks and spaces matter, such as code."""
        if not self._length:
            text = text.lstrip("\n")
        elif self._space:
            text = " " + text
        self._append(text)
        self._space = False

    def add_lines(self, text: str, first: int, *, verbatim: bool = False) -> None:
        """Add text whose first line has this number in the source."""
        add = self.add_verbatim if verbatim else self.add
        for number, line in enumerate(_LINE.findall(text), start=first):
            self.mark_line(number)
            add(line)

    def break_line(self) -> None:
        """End a line within the block."""
        if self._length:
            self._append("\n")
        self._space = False

    def begin_cell(self, separator: str, label: str = "") -> None:
        """Begin a cell of a row; an empty cell adds neither the separator nor its label."""
        self._label = (separator, label)
        self._space = False

    def end_cell(self) -> None:
        """End the last cell of a row."""
        self._label = None

    def _append(self, text: str) -> None:
        if self._label is not None:
            if not text.strip():
                return
            self._add_label()
            text = text.lstrip(" ")
        self._extend(text)

    def _add_label(self) -> None:
        if self._label is not None:
            separator, label = self._label
            self._label = None
            self._extend((separator if self._length else "") + label)

    def _extend(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def open_link(self, target: str) -> None:
        """Begin the anchor of a link."""
        self._add_label()
        self._open.append((self._length, target))

    def close_link(self) -> None:
        """End the innermost open anchor."""
        start, target = self._open.pop()
        if target:
            self._links.append(Link(start, self._length, target))

    def take(self) -> Block:
        """The block so far, leaving an empty one; open links continue in the next block."""
        if not self._length:
            self._space = False
            self._links, self._lines = [], []
            return Block("")
        targets = [target for _, target in self._open]
        while self._open:
            self.close_link()
        text = "".join(self._parts).rstrip()
        links = tuple(
            Link(start, end, link.target)
            for link in self._links
            for start, end in [strip(text, link.start, link.end)]
            if start < end
        )
        lines = tuple(mark for mark in self._lines if mark.start < len(text))
        self._parts, self._length, self._space = [], 0, False
        self._links, self._lines = [], []
        self._open = [(0, target) for target in targets]
        return Block(text, links, lines)
