"""The addresses that a page links to, its navigation included."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser

from seminar.ingestion.documents.html import check_depth
from seminar.ingestion.streams.decoding import decode, read_content

LINKS_LIMIT = 10_000
_LENGTH_LIMIT = 2_000


def read_links(path: Path, address: str) -> list[str]:
    """The targets of the links on a page at an address; none where it asks not to follow them."""
    content = read_content(path)
    check_depth(content)
    return links(decode(content, lambda _: None), address)


def links(text: str, address: str) -> list[str]:
    """The targets of the links in HTML.

    >>> links("<base href='/docs/'><a href=times.html>Times</a>", "https://example.org/")
    ['https://example.org/docs/times.html']
    """
    tree = LexborHTMLParser(text)
    robots = tree.css_first("meta[name=robots i]")
    if robots is not None and "nofollow" in (robots.attributes.get("content") or "").lower():
        return []
    based = tree.css_first("base[href]")
    base = _joined(address, (based and based.attributes.get("href")) or "") or address
    found: dict[str, None] = {}
    for anchor in tree.css("a[href]"):
        followed = "nofollow" not in (anchor.attributes.get("rel") or "").lower()
        target = _joined(base, anchor.attributes.get("href") or "")
        if followed and target and len(target) <= _LENGTH_LIMIT:
            found[target] = None
        if len(found) >= LINKS_LIMIT:
            break
    return list(found)


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return ""
