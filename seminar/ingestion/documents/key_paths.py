"""Settings and data as key paths: a line `server.port: 8080` for each value."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.text import whole
from seminar.types import Document

DEPTH_LIMIT = 100
VALUE_LIMIT = 200_000  # values of one file, each of which repeats its path
_PATH_LIMIT = 200  # characters of a path that are shown; its beginning goes first

Path = tuple[str | int, ...]


class Leaf(NamedTuple):
    """A value, the keys and list positions that lead to it, and its line in the file."""

    path: Path
    value: str
    line: int


def compose(leaves: Iterable[Leaf], source: str) -> Document:
    """A document with a line for each value, and a paragraph for each key of the outermost level.

    >>> compose([Leaf(("server", "ports", 0), "8080", 2)], "a.yaml").text
    'server.ports[0]: 8080'
    """
    builder = DocumentBuilder()
    outermost: str | int | None = None
    for count, leaf in enumerate(leaves, start=1):
        if count > VALUE_LIMIT:
            raise IngestionError(f"more than {VALUE_LIMIT:,} values: data rather than a document")
        inline = InlineBuilder()
        inline.mark_line(leaf.line)
        inline.add(f"{shown(leaf.path)}: {whole(leaf.value)}" if leaf.path else whole(leaf.value))
        block = inline.take()
        first = leaf.path[0] if leaf.path else None
        if block.text:
            builder.add_block(block, "\n" if first == outermost else "\n\n")
        outermost = first
    return builder.build(source, PurePosixPath(source).name)


def shown(path: Path) -> str:
    """A path as people write it: keys with dots between, positions from 0 in brackets."""
    text = ""
    for part in reversed(path):
        text = (f"[{part}]" if isinstance(part, int) else f".{whole(part)}") + text
        if len(text) > _PATH_LIMIT:
            return "…" + text[-_PATH_LIMIT:]
    return text.removeprefix(".")


def check_depth(depth: int) -> None:
    """Raise IngestionError for a value nested too deeply."""
    if depth > DEPTH_LIMIT:
        raise IngestionError(f"nested more than {DEPTH_LIMIT} deep")
