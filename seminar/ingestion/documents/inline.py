"""The text of one block while it is read: spaces collapse, links keep their offsets."""

from __future__ import annotations

from seminar.ingestion.streams.decoding import clean
from seminar.text import strip
from seminar.types import Link


class Inline:
    """Runs of text and links, in order, of one paragraph, list item, row or heading."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._space = False  # a space is due before the next visible character
        self._open: list[tuple[int, str]] = []  # where each open anchor began, and its target
        self._links: list[Link] = []

    def add(self, text: str) -> None:
        """Text in which any run of space counts as one."""
        collapsed = " ".join((text if text.isascii() else clean(text)).split())
        if not collapsed:
            self._space = self._space or bool(text)
            return
        if (self._space or text[0].isspace()) and self._length and self._parts[-1] != "\n":
            collapsed = " " + collapsed
        self._append(collapsed)
        self._space = text[-1].isspace()

    def add_verbatim(self, text: str) -> None:
        """Text whose line breaks and spaces mean something, such as code."""
        if not self._length:
            text = text.lstrip("\n")
        elif self._space:
            text = " " + text
        self._append(text)
        self._space = False

    def break_line(self) -> None:
        """A line ends within the block."""
        if self._length:
            self._append("\n")
        self._space = False

    def separate(self, mark: str) -> None:
        """A new cell of a row."""
        if self._length:
            self._append(mark)
        self._space = False

    def _append(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)

    def open_link(self, target: str) -> None:
        """What is added from here on is a link's anchor."""
        self._open.append((self._length, target))

    def close_link(self) -> None:
        """The innermost open anchor ends here."""
        start, target = self._open.pop()
        if target:
            self._links.append(Link(start, self._length, target))

    def take(self) -> tuple[str, list[Link]]:
        """The text and links so far, leaving an empty block; open links go on in the next one."""
        if not self._length:
            self._space = False
            self._links = []
            return "", []
        targets = [target for _, target in self._open]
        while self._open:
            self.close_link()
        text, links = "".join(self._parts).rstrip(), self._links
        self._parts, self._length, self._space, self._links = [], 0, False, []
        self._open = [(0, target) for target in targets]
        return text, [
            Link(start, end, link.target)
            for link in links
            for start, end in [strip(text, link.start, link.end)]
            if start < end
        ]
