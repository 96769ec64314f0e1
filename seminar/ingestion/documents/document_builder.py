"""A document while it is read: blocks go in, a document with exact offsets comes out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from seminar.errors import IngestionError
from seminar.ingestion.streams.decoding import LINE_LIMIT
from seminar.text import truncate
from seminar.types import Document, Element, Link, Section

_HEADING_LIMIT = 200


class Draft:
    """Blocks in reading order; headings open sections, and stay in the text where they stood."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._links: list[Link] = []
        self._elements: list[Element] = []
        self._seen: Counter[str] = Counter()
        self._headings: list[tuple[int, str]] = []  # the path of open headings with their levels
        self._sections: list[tuple[tuple[str, ...], int]] = []  # path and start
        self._bare = True  # nothing but headings since the section began

    def heading(self, level: int, text: str, links: Sequence[Link] = ()) -> int:
        """A heading, and where it begins; headings without text between open one section."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, _short(text)))
        path = tuple(title for _, title in self._headings)
        start = self._append(text, links, "\n\n")
        if self._sections and self._bare:
            self._sections[-1] = (path, self._sections[-1][1])
        else:
            self._sections.append((path, start))
            self._bare = True
        return start

    def block(self, text: str, links: Sequence[Link] = (), separator: str = "\n\n") -> int:
        """A paragraph, list item or row, and where it begins; links count from its beginning."""
        start = self._append(text, links, separator)
        if not self._sections:
            self._sections.append(((), start))
        self._bare = False
        return start

    def _append(self, text: str, links: Sequence[Link], separator: str) -> int:
        if len(text) > LINE_LIMIT:
            raise IngestionError(f"a block is longer than {LINE_LIMIT:,} characters")
        if self._parts:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self._elements.append(Element(self._key(text), start, self._length))
        self._links.extend(
            Link(start + link.start, start + link.end, link.target) for link in links
        )
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

    def document(self, source: str, title: str) -> Document:
        """What was drafted; a heading that only repeats the title is no section."""
        if self.is_empty:
            raise IngestionError("empty: it holds no text")
        title = _short(title)
        ends = [start for _, start in self._sections[1:]] + [self._length]
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
        )


def _short(heading: str) -> str:
    """A heading on one line; every passage under it repeats it, so it has a limit."""
    return truncate(" ".join(heading.split()), _HEADING_LIMIT)
