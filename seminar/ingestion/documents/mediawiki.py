"""MediaWiki XML dumps, streamed: articles only, one page in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.documents.wikitext import DROPPED_NAMESPACES, parse
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.xml_stream import FieldText, XmlStream
from seminar.types import Document

PAGE_LIMIT = 4_000_000  # MediaWiki itself saves no page above 2 MB
_CHUNK = 1 << 18
_FIELDS = frozenset({"title", "ns", "text"})


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The articles of a dump, each cited as file#Title; redirects and talk pages are skipped."""
    articles = 0
    with open_stream(path) as stream:
        pages = _Pages()
        error = ""
        while not error and (chunk := stream.read1(_CHUNK)):
            error = pages.xml.feed(chunk)
            for page in pages.take():
                if (document := _document(page, source, pages.dropped, notify)) is not None:
                    articles += 1
                    yield document
    if error or not pages.xml.is_complete():
        raise IngestionError(error or f"cut off after {articles} articles, which were read")
    if not articles:
        raise IngestionError("empty: the dump holds no articles")


def _document(page: _Page, source: str, dropped: frozenset[str], notify: Notify) -> Document | None:
    if len(page.text) >= PAGE_LIMIT:
        notify(f"page {page.title!r} is larger than any article and was left out")
        return None
    try:
        return parse(page.text, f"{source}#{page.title}", file=source, dropped=dropped)
    except (IngestionError, RecursionError) as error:
        notify(f"page {page.title!r} was left out: {error}")
        return None


@dataclass(slots=True)
class _Page:
    title: str = ""
    ns: str = ""
    text: str = ""
    redirect: bool = False

    def is_article(self) -> bool:
        return self.ns.strip() == "0" and not self.redirect and bool(self.title.strip())


@dataclass(slots=True)
class _Pages:
    """The state of the XML parser; it keeps one page at most beside those completed."""

    dropped: frozenset[str] = DROPPED_NAMESPACES
    _done: list[_Page] = field(default_factory=list)
    _page: _Page | None = None
    _field: FieldText = field(default_factory=lambda: FieldText(PAGE_LIMIT))
    _depth: int = 0
    _namespace: str = ""
    xml: XmlStream = field(init=False)

    def __post_init__(self) -> None:
        self.xml = XmlStream(self._start, self._end, characters=self._field.add)

    def take(self) -> list[_Page]:
        """The articles completed since the last call."""
        done, self._done = self._done, []
        return done

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and tag != "mediawiki":
            raise IngestionError(f"XML, but not a MediaWiki export (its root is <{tag[:40]}>)")
        if self._depth == 2 and tag == "page":
            self._page = _Page()
        elif self._page is not None and tag == "redirect":
            self._page.redirect = True
        elif (self._page is not None and tag in _FIELDS) or tag == "namespace":
            self._field.begin(tag)
            self._namespace = attributes.get("key", "")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        content = self._field.end(tag)
        if content is not None:
            self._store(tag, content)
        elif tag == "page" and self._depth == 1 and self._page is not None:
            if self._page.is_article():
                self._done.append(self._page)
            self._page = None

    def _store(self, tag: str, content: str) -> None:
        if self._page is not None:
            setattr(self._page, tag, content[:300] if tag != "text" else content)
        elif self._namespace in ("6", "14") and content:  # files and categories, in their language
            self.dropped |= {content[:100].lower()}
