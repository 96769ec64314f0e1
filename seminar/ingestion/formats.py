"""Which reader reads which file: by suffix, and by how the file begins where a suffix is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from seminar.ingestion import html, markdown, plain
from seminar.ingestion.decoding import Notify
from seminar.types import Document

Read = Callable[[Path, str, Notify], Iterator[Document]]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file and how to read it; a reader raises an error that says only the reason."""

    name: str
    read: Read
    suffixes: tuple[str, ...]


FORMATS = (
    Format("html", html.read, (".html", ".htm", ".xhtml")),
    Format("markdown", markdown.read, (".md", ".markdown", ".mdown", ".mkd")),
    Format("text", plain.read, (".txt", ".text", "")),
)
BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}


def choose(path: Path) -> Format:
    """The format of a file; what has no known suffix is tried as text."""
    return BY_SUFFIX.get(path.suffix.lower(), BY_SUFFIX[""])
