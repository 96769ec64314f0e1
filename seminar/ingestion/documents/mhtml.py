"""MHTML: a page that a browser saved with its pictures in one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.documents import html
from seminar.ingestion.streams.decoding import Notify, read_content
from seminar.types import Document

PARTS_LIMIT = 10_000
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of the page; frames, styles and pictures are left out."""
    page = _page(message_from_bytes(read_content(path)))
    content = page.get_payload(decode=True)
    if not isinstance(content, bytes) or not content.strip():
        raise IngestionError("empty: the page shows no text")
    document = html.read_page(content, source, notify, declared=page.get_content_charset() or "")
    # The page is encoded in the file, and so its lines are not those of the file.
    yield replace(document, lines=())


def _page(message: Message) -> Message:
    """The part that is the page itself: the one that the file names, else the first of HTML."""
    start = message.get_param("start")
    first: Message | None = None
    for count, part in enumerate(message.walk()):
        if count > PARTS_LIMIT:
            raise IngestionError(f"more than {PARTS_LIMIT:,} parts")
        if part.get_content_type() in _PAGES:
            first = first or part
            if start and part.get("Content-ID") == start:
                return part
    if first is None:
        raise IngestionError("no MHTML: it holds no page")
    return first
