"""Where an index is: in a folder, or at a URL whose scheme names the engine that keeps it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlsplit

from seminar.errors import ConfigurationError

LONGEST = 2_000  # characters
_BEGINNING = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_PAGES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class IndexUrl:
    """The URL of an index, as `s3://bucket/path` or `milvus://host:19530/collection`."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def scheme(self) -> str:
        return self.parts.scheme

    @property
    def name(self) -> str:
        """The last part of its path, or its host."""
        return self.parts.path.rstrip("/").rpartition("/")[2] or self.parts.netloc

    @property
    def options(self) -> dict[str, str]:
        """The settings of the engine after the question mark."""
        return dict(parse_qsl(self.parts.query, keep_blank_values=True))

    @property
    def parts(self) -> SplitResult:
        return urlsplit(self.text)


Place = Path | IndexUrl


def is_index_url(text: str) -> bool:
    """Whether a text is meant as the URL of an index; addresses of web pages are not.

    >>> is_index_url("s3://bucket/notes"), is_index_url("https://example.org"), is_index_url("a/b")
    (True, False, False)
    """
    return _BEGINNING.match(text) is not None and not text.lower().startswith(_PAGES)


def parse_place(text: str) -> Place:
    """The URL or the folder that a text names."""
    return parse_index_url(text) if is_index_url(text) else Path(text)


def parse_index_url(text: str) -> IndexUrl:
    """The URL of an index; raises ConfigurationError where it is none, or holds a password.

    >>> parse_index_url("S3://bucket/notes/").text
    's3://bucket/notes'
    """
    shown = text[:LONGEST]
    try:
        parts = urlsplit(text.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigurationError(f"{shown}: no URL of an index ({error})") from None
    if parts.username or parts.password:
        raise ConfigurationError(
            f"{parts.scheme}://{host}: a URL with a user name or password would be shown and "
            "logged; name them in the environment, as the documentation of the engine says"
        )
    if len(text) > LONGEST or parts.fragment:
        raise ConfigurationError(f"{shown}: no URL of an index: expected as in s3://BUCKET/PATH")
    # Not geturl(), which leaves out the slashes before an empty host.
    query = f"?{parts.query}" if parts.query else ""
    return IndexUrl(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}{query}")
