"""Fetching a page, or a site's pages under the same path, into a folder to index."""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem
from seminar.ingestion.sandbox.pool import SHARED
from seminar.ingestion.web.addresses import canonical, folder_of, linked
from seminar.ingestion.web.fetching import Fetcher, Page
from seminar.ingestion.web.page_folder import PageFolder, PageRecord, file_name

FRESH = 86_400.0  # seconds: a page that was fetched within a day is not asked for again
PAGES = 100
_HTML = (".html", ".xhtml")

# Gets the address that is fetched next, how many pages there are, and how many are known to come.
Watch = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Crawl:
    """What to fetch: links are followed so deep, below the path of the first page."""

    address: str
    depth: int = 0
    pages: int = PAGES
    fresh: float = FRESH

    def folder(self, parent: Path) -> Path:
        """The folder of its pages: the same for the same address and depth."""
        identity = f"{canonical(self.address)}\0{self.depth}"
        return parent / hashlib.blake2b(identity.encode(), digest_size=8).hexdigest()


def crawl(
    task: Crawl,
    parent: Path,
    *,
    private: Iterable[str] = (),
    watch: Watch = lambda *_: None,
    fetcher: Fetcher | None = None,
) -> tuple[Path, list[Problem]]:
    """The folder that holds the pages, and the pages that can't be fetched.

    It goes on where an earlier crawl was stopped. Raises IngestionError where the first page can't
    be fetched and is not there from an earlier time either.
    """
    folder = PageFolder(task.folder(parent))
    with fetcher or Fetcher(private) as fetching:
        run = _Run(task, folder, fetching, watch)
        run.crawl()
    if not run.found:
        raise IngestionError(str(run.problems[0]))
    folder.show(run.found)
    return folder.folder, run.problems


@dataclass(slots=True)
class _Run:
    task: Crawl
    folder: PageFolder
    fetcher: Fetcher
    watch: Watch
    found: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def crawl(self) -> None:
        """Fetch breadth first, each page once."""
        first = canonical(self.task.address)
        pending = deque([(first, 0)])
        known = {first}
        below = ""
        while pending and len(self.found) < self.task.pages:
            address, depth = pending.popleft()
            self.watch(address, len(self.found), len(pending))
            page = self._page(address)
            if page is None:
                continue
            below = below or folder_of(page)
            # A redirect may lead to a page that is there already, or out of the path.
            if page in self.found or not page.startswith(below):
                continue
            self.found.append(page)
            known.add(page)
            record = self.folder.find(page)
            if depth < self.task.depth and record is not None:
                links = [link for link in record.links if link.startswith(below)]
                pending += [(link, depth + 1) for link in links if link not in known]
                known.update(links)
        if pending:
            reason = f"{len(pending)} more pages are linked; --pages {self.task.pages} is the limit"
            self.problems.append(Problem(first, reason))

    def _page(self, address: str) -> str | None:
        """The address of a page that is in the folder, after redirects; None if it can't be."""
        old = self.folder.find(address)
        if old is not None and time.time() - old.fetched < self.task.fresh:
            return old.target or address
        source = self.folder.find(old.target) if old is not None and old.target else old
        known = source if source is not None and self.folder.path(source).is_file() else None
        etag, modified = (known.etag, known.modified) if known else ("", "")
        try:
            page = self.fetcher.fetch(address, etag=etag, modified=modified)
            return self._save(address, page, known)
        except IngestionError as error:
            reason = str(error).removeprefix(f"{address}: ")
            if known is not None and old is not None:
                reason += "; read as it was fetched before"
            self.problems.append(Problem(address, reason))
            return (old.target or address) if known is not None and old is not None else None

    def _save(self, address: str, page: Page, known: PageRecord | None) -> str:
        now = time.time()
        if page.content is None and known is not None:
            known.fetched = now
            self.folder.save(page.address, known)
        else:
            name = file_name(page.address, page.kind)
            record = PageRecord(now, name, etag=page.etag, modified=page.modified)
            self.folder.save(page.address, record, _in_unicode(page))
            if name.endswith(_HTML) and self.task.depth:
                record.links = self._links(page.address, record)
                self.folder.save(page.address, record)
        if page.address != address:
            self.folder.save(address, PageRecord(now, target=page.address))
        return page.address

    def _links(self, address: str, record: PageRecord) -> tuple[str, ...]:
        """The pages that a page links to; the sandbox looks into it."""
        try:
            found = SHARED.links_of(self.folder.path(record), address)
        except IngestionError as error:
            self.problems.append(Problem(address, str(error)))
            return ()
        return tuple(dict.fromkeys(filter(None, (linked(href, address) for href in found))))


def _in_unicode(page: Page) -> bytes:
    """The content of a page, in UTF-8 with a mark where its server declared another encoding."""
    content = page.content or b""
    if page.charset in ("", "utf-8", "utf8", "us-ascii") or not page.kind.startswith("text/"):
        return content
    try:
        return content.decode(page.charset, errors="replace").encode("utf-8-sig")
    except LookupError:
        return content
