"""Fetching pages politely and within bounds: one at a time, as robots.txt allows, not too large."""

from __future__ import annotations

import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from seminar.errors import IngestionError, MissingExtraError
from seminar.ingestion.web.addresses import canonical, linked
from seminar.version import package_version

if TYPE_CHECKING:
    import httpcore2
    from protego import Protego

    from seminar.ingestion.web.connections import Resolve

EXTRA = "web"
NAME = "Seminar"
SIZE_LIMIT = 20_000_000  # bytes of a page
ROBOTS_LIMIT = 500_000  # bytes of robots.txt, as RFC 9309 has it
SECONDS = 30.0  # for a page, from the connection to its last byte
REDIRECTS = 5
DELAY = 1.0  # seconds between requests to a host
LONGEST_DELAY = 30.0  # a robots.txt that asks for more is respected by not fetching
_REDIRECTING = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was received; `content` is None where the cached one is still current."""

    address: str  # after redirects
    content: bytes | None
    kind: str = ""
    charset: str = ""
    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(slots=True)
class Fetcher:
    """Fetches one page after another; `private` names the hosts that need not be public."""

    private: Iterable[str] = ()
    delay: float = DELAY
    resolve: Resolve | None = None
    sleep: Callable[[float], None] = time.sleep
    _pool: httpcore2.ConnectionPool = field(init=False)
    _robots: dict[str, Protego | None] = field(init=False, default_factory=dict)
    _asked: dict[str, float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        try:
            import httpcore2

            from seminar.ingestion.web import connections
        except ModuleNotFoundError:
            raise MissingExtraError("reading web pages", EXTRA) from None
        backend = connections.CheckedBackend(self.private, self.resolve or connections.resolve)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=ssl.create_default_context(), max_connections=1, network_backend=backend
        )

    def __enter__(self) -> Fetcher:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()

    def fetch(self, address: str, *, etag: str = "", modified: str = "") -> Page:
        """A page, or that it has not changed since; raises IngestionError where it can't be had."""
        known = {"If-None-Match": etag, "If-Modified-Since": modified}
        headers = {name: value for name, value in known.items() if value}
        for _ in range(REDIRECTS + 1):
            self._check_allowed(address)
            answer = self._ask(address, headers)
            if answer.status == 304 and headers:
                return Page(address, None, etag=etag, modified=modified)
            if answer.status in _REDIRECTING:
                target = linked(answer.headers.get("location", ""), address)
                if not target:
                    raise IngestionError(f"{address}: redirected to no web address")
                address, headers = target, {}
            elif answer.status == 200:
                return _page(address, answer)
            else:
                raise IngestionError(f"{address}: the server answered with {answer.status}")
        raise IngestionError(f"{address}: redirected more than {REDIRECTS} times")

    def _check_allowed(self, address: str) -> None:
        """Raise IngestionError for a page that robots.txt keeps from programs."""
        parts = urlsplit(address)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            try:
                self._robots[site] = self._read_robots(site)
            except IngestionError as error:
                reason = str(error).removeprefix(f"{site}/robots.txt: ")
                raise IngestionError(f"{address}: {reason}") from None
        rules = self._robots[site]
        if rules is None:
            raise IngestionError(f"{address}: {site}/robots.txt can't be read; not fetched")
        if not rules.can_fetch(address, NAME):
            raise IngestionError(f"{address}: {site}/robots.txt asks programs not to fetch it")
        if float(rules.crawl_delay(NAME) or 0) > LONGEST_DELAY:
            raise IngestionError(
                f"{address}: {site}/robots.txt asks to wait more than {LONGEST_DELAY:g} s "
                "between pages; not fetched"
            )

    def _read_robots(self, site: str) -> Protego | None:
        """The rules of a site; none of its pages may be fetched where the server fails."""
        from protego import Protego

        address = canonical(f"{site}/robots.txt")
        for _ in range(REDIRECTS + 1):
            answer = self._ask(address, {}, ROBOTS_LIMIT)
            if answer.status not in _REDIRECTING:
                break
            address = linked(answer.headers.get("location", ""), address) or address
        if answer.status >= 500 or answer.status == 429:
            return None
        text = answer.content.decode("utf-8", errors="replace") if answer.status == 200 else ""
        return Protego.parse(text)

    def _wait(self, address: str) -> None:
        """Wait until the host may be asked again."""
        parts = urlsplit(address)
        rules = self._robots.get(f"{parts.scheme}://{parts.netloc}")
        delay = max(self.delay, float((rules and rules.crawl_delay(NAME)) or 0))
        left = self._asked.get(parts.netloc, -delay) + delay - time.monotonic()
        if parts.netloc in self._asked and left > 0:
            self.sleep(left)
        self._asked[parts.netloc] = time.monotonic()

    def _ask(self, address: str, headers: Mapping[str, str], limit: int = SIZE_LIMIT) -> _Answer:
        import httpcore2

        self._wait(address)
        sent = {
            "User-Agent": f"{NAME}/{package_version()}",
            "Accept": "text/html,text/markdown,text/plain,application/pdf,*/*;q=0.5",
            "Accept-Encoding": "gzip",
            "Host": urlsplit(address).netloc,
            **headers,
        }
        timeout = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS / 3)
        ends = time.monotonic() + SECONDS
        try:
            with self._pool.stream(
                "GET", address, headers=list(sent.items()), extensions={"timeout": timeout}
            ) as response:
                received = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in response.headers
                }
                if response.status != 200:
                    return _Answer(response.status, received, b"")
                chunks = _before(ends, response.iter_stream())
                content = b"".join(_unpacked(chunks, received, limit))
                return _Answer(response.status, received, content)
        except IngestionError as error:
            known = str(error).startswith(address)
            raise IngestionError(str(error) if known else f"{address}: {error}") from None
        except (httpcore2.TimeoutException, httpcore2.NetworkError) as error:
            reason = str(error) or "no answer in time"
            raise IngestionError(f"{address}: can't be reached: {reason[:200]}") from None
        except (httpcore2.ProtocolError, zlib.error, OSError) as error:
            raise IngestionError(f"{address}: the server's answer is broken: {error}") from None


def _before(ends: float, chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if time.monotonic() > ends:
            raise IngestionError(f"took longer than {SECONDS:g} s to arrive")
        yield chunk


def _unpacked(chunks: Iterable[bytes], headers: Mapping[str, str], limit: int) -> Iterator[bytes]:
    """The content, unpacked if it was sent as gzip, up to so many bytes."""
    encoding = headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise IngestionError(f"sent in an encoding that was not asked for: {encoding[:40]}")
    unpacking = zlib.decompressobj(31) if encoding.endswith("gzip") else None
    for chunk in chunks:
        part = unpacking.decompress(chunk, limit + 1) if unpacking else chunk
        limit -= len(part)
        if limit < 0:
            raise IngestionError("larger than a page may be")
        yield part


def _page(address: str, answer: _Answer) -> Page:
    kind, _, parameters = answer.headers.get("content-type", "").partition(";")
    charset = parameters.lower().partition("charset=")[2].partition(";")[0].strip("\"' ")
    return Page(
        address=address,
        content=answer.content,
        kind=kind.strip().lower(),
        charset=charset[:40],
        etag=answer.headers.get("etag", "")[:500],
        modified=answer.headers.get("last-modified", "")[:100],
    )
