"""Where a span can be opened: the file on this machine, its line, column and page, or a permalink.

Nothing is read but the cited file, and of it only the cited lines are compared.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from seminar.citations.names import citation
from seminar.errors import IngestionError
from seminar.ingestion.streams.decoding import decode_source
from seminar.ingestion.web.addresses import is_address
from seminar.io import read_bounded
from seminar.regular_files import is_regular
from seminar.types import Span

COLUMN_LIMIT = 10_000_000  # bytes of a file in which columns are looked for
WORDS, FEWEST_WORDS = 4, 2  # that are looked for in the cited line; fewer before markup
KEPT_FILES = 16

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Location:
    """Where a span can be opened; None or empty is what is unknown or doesn't apply."""

    citation: str
    file: Path | None = None
    line: int | None = None
    column: int | None = None
    page: int | None = None
    permalink: str = ""


def locate(span: Span, files: Mapping[str, Path]) -> Location:
    """The location of a span, given the path of each source."""
    message = span.utterance
    source = message.source if message and message.source else span.passage.source
    file = find_file(source, files)
    column = find_column(span, file) if file and span.line is not None else None
    address = source if is_address(source) else ""
    return Location(citation(span, column), file, span.line, column, span.page, address)


def find_file(source: str, files: Mapping[str, Path]) -> Path | None:
    """The file that holds a source; of a folder that is read as one, the file within it."""
    path = source
    while path and path not in files:
        cut = max(path.rfind("/"), path.rfind("#"))
        path = path[:cut] if cut > 0 else ""
    if not path:
        return None
    file = files[path]
    if is_regular(file):
        return file
    inner = source[len(path) :].strip("/")
    if not inner or ".." in inner.split("/"):
        return None
    return file / inner if is_regular(file / inner) else None


def find_column(span: Span, file: Path) -> int | None:
    """The column, from 1, at which the span begins in the cited line of its file.

    None where the line holds other characters than the text that was extracted from it, such as
    markup within the words, and where the file has changed.
    """
    line = _line(file, span.line or 0)
    words = _WORD.findall(span.text.partition("\n")[0])[:WORDS]
    if line is None or not words:
        return None
    fewest = min(len(words), FEWEST_WORDS)
    tries = (words[:count] for count in range(len(words), fewest - 1, -1))
    columns = (_column_of(words, line, _text_of_line(span)) for words in tries)
    return next((column for column in columns if column), None)


def _column_of(words: Sequence[str], line: str, before: str) -> int | None:
    """The column of words in a line; they count as often as they occur before the span."""
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    earlier = len(pattern.findall(before))
    found = list(pattern.finditer(line))
    return found[earlier].start() + 1 if earlier < len(found) else None


def _text_of_line(span: Span) -> str:
    """What the passage holds of the cited line before the span."""
    message = span.utterance
    marks = message.lines if message else span.passage.lines
    begun = [mark.start for mark in marks if mark.start <= span.start]
    return span.passage.text[begun[-1] : span.start] if begun else ""


def _line(file: Path, number: int) -> str | None:
    try:
        status = file.stat()
        lines = _lines(file, status.st_size, status.st_mtime_ns)
    except (OSError, IngestionError):
        return None
    return lines[number - 1] if 0 < number <= len(lines) else None


@lru_cache(maxsize=KEPT_FILES)
def _lines(file: Path, _size: int, _changed: int) -> tuple[str, ...]:
    """The lines of a file as editors number them; none of a file whose lines may differ."""
    content = read_bounded(file, COLUMN_LIMIT)
    text = decode_source(content, lambda _: None) if content else None
    if text is None or text.extra_lines:
        return ()
    return tuple(text.content.split("\n"))
