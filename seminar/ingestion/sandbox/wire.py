"""What crosses from a worker to us: plain lists as JSON, never pickles.

What a taken-over reader sends must stay mere data.
"""

from __future__ import annotations

from datetime import datetime

from seminar.types import Document, Element, Link, Page, Passage, Section, Thread, Utterance

PackedDocument = tuple[
    str,
    str,
    str,
    list[tuple[str, int, int]],
    list[tuple[int, int, str]],
    list[tuple[str, int, int]],
    list[tuple[int, int, int]],
]
PackedUtterance = tuple[str, str, str, str | None, int, int, str]
PackedThread = tuple[str, str, str, list[PackedUtterance], str]


def pack_item(item: Document | Thread) -> tuple[str, PackedDocument | PackedThread]:
    """What a reader yields, with its kind."""
    if isinstance(item, Thread):
        return "thread", pack_thread(item)
    return "document", pack_document(item)


def unpack_item(packed: tuple[str, PackedDocument | PackedThread]) -> Document | Thread:
    """The document or thread that was packed."""
    kind, content = packed
    return unpack_thread(content) if kind == "thread" else unpack_document(content)  # type: ignore[arg-type]


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


def pack_thread(thread: Thread) -> PackedThread:
    """A thread as plain lists."""
    said = [_pack_utterance(one) for one in thread.utterances]
    return thread.source, thread.title, thread.text, said, thread.channel


def unpack_thread(packed: PackedThread) -> Thread:
    """The thread that was packed."""
    source, title, text, said, channel = packed
    return Thread(source, title, text, tuple(_unpack_utterance(one) for one in said), channel)


def _pack_utterance(said: Utterance) -> PackedUtterance:
    time = said.time.isoformat() if said.time else None
    return said.key, said.speaker, said.text, time, said.start, said.end, said.source


def _unpack_utterance(packed: PackedUtterance) -> Utterance:
    key, speaker, text, time, start, end, source = packed
    when = datetime.fromisoformat(time) if time else None
    return Utterance(key, speaker, text, when, start, end, source)


PackedPassage = tuple[
    str,
    int,
    int,
    str,
    str,
    str,
    str,
    list[tuple[int, int, str]],
    list[tuple[int, int, int]],
    list[PackedUtterance],
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
        [_pack_utterance(said) for said in passage.utterances],
    )


def unpack_passage(packed: PackedPassage) -> Passage:
    """The passage that was packed."""
    source, start, end, text, title, section, scope, links, pages, said = packed
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
        utterances=tuple(_unpack_utterance(one) for one in said),
    )
