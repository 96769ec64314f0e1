"""Building a document from its blocks, with exact offsets and lines."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from seminar.errors import IngestionError
from seminar.ingestion.documents.inline import Block
from seminar.ingestion.streams.decoding import LINE_LIMIT, SourceText
from seminar.text import truncate
from seminar.types import Document, Element, LineMark, Link, Page, Place, Section

_HEADING_LIMIT = 200


class DocumentBuilder:
    """Collects blocks in reading order; headings open sections and remain in the text."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._links: list[Link] = []
        self._lines: list[LineMark] = []
        self._elements: list[Element] = []
        self._places: list[Place] = []
        self._pages: list[tuple[int, int]] = []  # number and start
        self._page = 0  # the page of the block that is added next
        self._seen: Counter[str] = Counter()
        self._headings: list[tuple[int, str]] = []  # the path of open headings with their levels
        self._sections: list[tuple[tuple[str, ...], int]] = []  # path and start
        self._bare = True  # nothing but headings since the section began
        self._ended = False  # the next block belongs to an outer section, without a heading

    def begin_page(self, number: int) -> None:
        """What is added from here on stands on this page or slide."""
        self._page = number

    def add_heading(self, level: int, heading: Block, *, place: str = "") -> int:
        """Add a heading and return its start; headings without text between open one section."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, _short(heading.text)))
        path = tuple(title for _, title in self._headings)
        start = self._append(heading, "\n\n", place)
        if self._sections and self._bare:
            self._sections[-1] = (path, self._sections[-1][1])
        else:
            self._sections.append((path, start))
            self._bare = True
        self._ended = False
        return start

    def end_sections(self, level: int) -> None:
        """End the sections of this level and below: what follows belongs to the one around them."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
            self._ended = True

    def add_block(self, block: Block, separator: str = "\n\n", *, place: str = "") -> int:
        """Add a paragraph, list item or row, and return its start."""
        start = self._append(block, separator, place)
        if not self._sections or self._ended:
            self._sections.append((tuple(title for _, title in self._headings), start))
            self._ended = False
        self._bare = False
        return start

    def _append(self, block: Block, separator: str, place: str) -> int:
        if len(block.text) > LINE_LIMIT:
            raise IngestionError(f"a block is longer than {LINE_LIMIT:,} characters")
        if self._parts:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(block.text)
        self._length += len(block.text)
        self._elements.append(Element(self._key(block.text), start, self._length))
        if place:
            self._places.append(Place(place, start, self._length))
        if self._page and (not self._pages or self._pages[-1][0] != self._page):
            self._pages.append((self._page, start))
        self._links += [
            Link(start + link.start, start + link.end, link.target) for link in block.links
        ]
        for mark in block.lines:
            if not self._lines or self._lines[-1].line != mark.line:
                self._lines.append(LineMark(start + mark.start, mark.line))
        return start

    def _key(self, text: str) -> str:
        """A hash of the block's own text, so that no edit elsewhere changes it."""
        digest = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        self._seen[digest] += 1
        count = self._seen[digest]
        return digest if count == 1 else f"{digest}-{count}"

    @property
    def is_empty(self) -> bool:
        return not self._parts

    @property
    def length(self) -> int:
        """How many characters the text has so far."""
        return self._length

    def build(self, source: str, title: str) -> Document:
        """The document; a heading that only repeats the title is no section."""
        if self.is_empty:
            raise IngestionError("empty: it holds no text")
        title = _short(title)
        ends = [start for _, start in self._sections[1:]] + [self._length]
        page_ends = [start for _, start in self._pages[1:]] + [self._length]
        return Document(
            source=source,
            title=title,
            text="".join(self._parts),
            sections=tuple(
                Section(" > ".join(path[1:] if path[:1] == (title,) else path), start, end)
                for (path, start), end in zip(self._sections, ends, strict=True)
            ),
            links=tuple(self._links),
            elements=tuple(self._elements),
            pages=tuple(
                Page(number, start, end)
                for (number, start), end in zip(self._pages, page_ends, strict=bool(self._pages))
            ),
            lines=tuple(self._lines),
            places=tuple(self._places),
        )


def parse_source(text: SourceText, source: str, parse: Callable[[str, str], Document]) -> Document:
    """Parse the text of a file, with line marks in the numbering of the file."""
    document = parse(text.content, source)
    return replace(document, lines=text.renumber(document.lines))


def _short(heading: str) -> str:
    """A heading on one line, limited in length because every passage under it repeats it."""
    return truncate(" ".join(heading.split()), _HEADING_LIMIT)
