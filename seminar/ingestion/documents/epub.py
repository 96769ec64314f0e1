"""E-books (.epub): a document for each chapter, in reading order."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from seminar.errors import IngestionError
from seminar.ingestion.documents import html
from seminar.ingestion.streams import packages
from seminar.ingestion.streams.decoding import Notify, clean, decode
from seminar.ingestion.streams.xml_stream import FieldText, XmlStream
from seminar.types import Document, Link

_CONTAINER = "META-INF/container.xml"
_CHAPTER_LIMIT = 20_000_000  # bytes
_TITLE_LIMIT = 1_000
# Declarations of entities, which an HTML parser would take for text.
_SUBSET = re.compile(r"<!DOCTYPE[^<>\[]{0,500}\[[^\]]{0,5000}\]\s*>", re.IGNORECASE)
_PAGES = ("application/xhtml+xml", "text/html")


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The chapters of a book, cited as `book.epub#file`; all have the book's title."""
    with packages.open_package(path) as archive:
        names = set(archive.namelist())
        if _CONTAINER not in names:
            raise IngestionError("damaged, or no e-book: it holds no META-INF/container.xml")
        book = _read_book(archive, _package_file(archive))
        title = book.title or PurePosixPath(source).stem
        chapters = 0
        for entry in book.reading_order():
            if entry not in names:
                notify(f"the chapter {entry!a} is missing")
                continue
            try:
                content = packages.content(archive, entry, _CHAPTER_LIMIT)
                chapter = _chapter(content, source, entry, title, notify)
            except (IngestionError, RecursionError) as error:
                notify(f"the chapter {entry!a} was left out: {error}")
                continue
            if chapter is not None:
                chapters += 1
                yield chapter
    if not chapters:
        raise IngestionError("empty: its chapters hold no text, or are encrypted")


def _chapter(
    content: bytes, source: str, entry: str, title: str, notify: Notify
) -> Document | None:
    """The document of a chapter; None for a page without text, such as a cover."""
    html.check_depth(content)
    try:
        text = _SUBSET.sub("", decode(content, notify), count=1)
        chapter = html.parse(text, entry, title=title)
    except IngestionError as error:
        if str(error).startswith("empty"):
            return None
        raise
    links = tuple(_inside(link, source) for link in chapter.links)
    return replace(chapter, source=f"{source}#{entry}", links=links, scope=source)


def _inside(link: Link, source: str) -> Link:
    """A link between chapters, as a link to the document of the other one."""
    if ":" in link.target or link.target.startswith("/"):
        return link
    return replace(link, target=f"{source}#{link.target.partition('#')[0]}")


class _Book:
    """Collects the title, the files and the reading order of a package file."""

    def __init__(self, folder: str) -> None:
        self.title = ""
        self._folder = folder
        self._files: dict[str, str] = {}  # of pages, by their ids
        self._order: list[str] = []
        self._field = FieldText(_TITLE_LIMIT)

    def stream(self) -> XmlStream:
        """A parser whose elements come here."""
        return XmlStream(self._start, self._end, characters=self._field.add)

    def reading_order(self) -> list[str]:
        """The entries of the chapters, each once."""
        entries = [self._files[key] for key in self._order if key in self._files]
        return list(dict.fromkeys(entries or self._files.values()))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name == "title" and not self.title:
            self._field.begin(tag)
        elif name == "item" and attributes.get("media-type") in _PAGES:
            if "nav" not in attributes.get("properties", "").split():
                target = posixpath.join(self._folder, unquote(attributes.get("href", "")))
                self._files[attributes.get("id", "")] = posixpath.normpath(target)
        elif name == "itemref":
            self._order.append(attributes.get("idref", ""))

    def _end(self, tag: str) -> None:
        if text := self._field.end(tag):
            self.title = " ".join(clean(text).split())


def _package_file(archive: zipfile.ZipFile) -> str:
    """The entry that lists the chapters."""
    found: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "rootfile":
            found.append(attributes.get("full-path", ""))

    stream = XmlStream(start, lambda tag: None, characters=lambda text: None)
    for _ in packages.parse_entry(archive, _CONTAINER, stream):
        pass
    if not found:
        raise IngestionError("damaged: its container names no package file")
    return found[0]


def _read_book(archive: zipfile.ZipFile, entry: str) -> _Book:
    book = _Book(posixpath.dirname(entry))
    for _ in packages.parse_entry(archive, entry, book.stream()):
        pass
    return book
