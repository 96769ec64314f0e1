"""Wikispeedia: 4,604 articles of a Wikipedia selection with their links (West et al., 2009)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from seminar.datasets.files import find, read_json_lines
from seminar.datasets.records import Record
from seminar.types import Document, Element, Link, Section

ARTICLES = ("articles_with_links.jsonl",)
LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4}
# The selection's own banner is a heading of every article.
BANNER = "2007 Schools Wikipedia Selection"


def documents(folder: Path) -> Iterator[Document]:
    """The articles, with sections by heading, hyperlinks and one element for each block."""
    for record in read_json_lines(find(folder, ARTICLES)):
        yield _article(record)


def _article(record: Record) -> Document:
    lines: list[str] = []
    links: list[Link] = []
    elements: list[Element] = []
    headings: list[tuple[int, str, str]] = []
    start = 0
    for number, block in enumerate(record.items("blocks")):
        tag, text = block.text("tag"), block.text("text")
        if text.startswith(BANNER):
            continue
        if tag in LEVELS:
            headings.append((start, tag, text.strip()))
        links.extend(_link(link, start) for link in block.items("links"))
        elements.append(Element(str(number), start, start + len(text)))
        lines.append(text)
        start += len(text) + 1
    text = "\n".join(lines)
    return Document(
        source=record.text("id"),
        title=record.text("title"),
        text=text,
        sections=_sections(headings, end=len(text)),
        links=tuple(links),
        elements=tuple(elements),
    )


def _link(record: Record, offset: int) -> Link:
    start, end = record.integer("start"), record.integer("end")
    return Link(offset + start, offset + end, record.text("target"))


def _sections(headings: list[tuple[int, str, str]], end: int) -> tuple[Section, ...]:
    """Each heading's stretch up to the next one, under the path of headings above it."""
    sections: list[Section] = []
    path: list[tuple[int, str]] = []
    stops = [*(start for start, _, _ in headings), end]
    for (start, stop), (_, tag, title) in zip(pairwise(stops), headings, strict=True):
        level = LEVELS[tag]
        path = [above for above in path if above[0] < level]
        path.append((level, title))
        # The article's own title is a section title only where there is no other.
        below = [name for depth, name in path if depth > 1] or [title]
        sections.append(Section(" > ".join(below), start, stop))
    return tuple(sections)
