"""Resolving hyperlinks relative to the folder that was given."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urljoin

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = re.compile(r"https?://")
_SCRIPTS = ("javascript:", "data:", "vbscript:", "blob:")


def resolve(href: str, source: str) -> str:
    """The target of a link found in `source`; empty where it leads nowhere.

    >>> resolve("../times.html#winter", "docs/ferry.html")
    'times.html#winter'
    """
    href = href.strip()
    if _WEB.match(source):
        return _on_page(href, source)
    if not href or href.lower().startswith(_SCRIPTS):
        return ""
    if _SCHEME.match(href) or href.startswith("/"):
        return href
    path, mark, fragment = href.partition("#")
    if not path:
        return f"{source}#{fragment}" if fragment else ""
    path, question, query = path.partition("?")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), unquote(path)))
    return target + question + query + mark + fragment


def _on_page(href: str, address: str) -> str:
    """The target of a link on a web page."""
    if not href or href.lower().startswith(_SCRIPTS):
        return ""
    try:
        return urljoin(address, href)
    except ValueError:
        return ""
