"""What crosses from a worker to us: plain lists as JSON, never pickles.

What a taken-over reader sends must stay mere data.
"""

from __future__ import annotations

from seminar.types import Document, Element, Link, Page, Passage, Section

PackedDocument = tuple[
    str,
    str,
    str,
    list[tuple[str, int, int]],
    list[tuple[int, int, str]],
    list[tuple[str, int, int]],
    list[tuple[int, int, int]],
]


def pack_document(document: Document) -> PackedDocument:
    """A document as plain lists."""
    return (
        document.source,
        document.title,
        document.text,
        [(section.title, section.start, section.end) for section in document.sections],
        [(link.start, link.end, link.target) for link in document.links],
        [(element.key, element.start, element.end) for element in document.elements],
        [(page.number, page.start, page.end) for page in document.pages],
    )


def unpack_document(packed: PackedDocument) -> Document:
    """The document that was packed."""
    source, title, text, sections, links, elements, pages = packed
    return Document(
        source=source,
        title=title,
        text=text,
        sections=tuple(Section(*section) for section in sections),
        links=tuple(Link(*link) for link in links),
        elements=tuple(Element(*element) for element in elements),
        pages=tuple(Page(*page) for page in pages),
    )


PackedPassage = tuple[
    str, int, int, str, str, str, str, list[tuple[int, int, str]], list[tuple[int, int, int]]
]


def pack_passage(passage: Passage) -> PackedPassage:
    """A passage as plain lists."""
    return (
        passage.source,
        passage.start,
        passage.end,
        passage.text,
        passage.title,
        passage.section,
        passage.scope,
        [(link.start, link.end, link.target) for link in passage.links],
        [(page.number, page.start, page.end) for page in passage.pages],
    )


def unpack_passage(packed: PackedPassage) -> Passage:
    """The passage that was packed."""
    source, start, end, text, title, section, scope, links, pages = packed
    return Passage(
        source=source,
        start=start,
        end=end,
        text=text,
        title=title,
        section=section,
        scope=scope,
        links=tuple(Link(*link) for link in links),
        pages=tuple(Page(*page) for page in pages),
    )
