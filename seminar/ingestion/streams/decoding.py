"""Decoding bytes to text: as Unicode, else as windows-1252 with a notice, else refused."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.errors import IngestionError
from seminar.io import read_bounded
from seminar.types import LineMark

Notify = Callable[[str], None]

FILE_LIMIT = 100_000_000
LINE_LIMIT = 1_000_000

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"
_HIGH = bytes(range(128, 256))
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ALL_LINE_ENDS = re.compile(rf"\n|{_LINE_ENDS.pattern}")
# Characters without width, which only hinder finding words.
_INVISIBLE = re.compile("[\ufeff\u00ad\u200b\u2060]")


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of a file with line ends as \\n.

    `extra_lines` are the lines, from 1, that begin after a form feed or another break that the
    file's own numbering, as in editors, does not count.
    """

    content: str
    extra_lines: tuple[int, ...] = ()

    def renumber(self, marks: Sequence[LineMark]) -> tuple[LineMark, ...]:
        """Marks in lines of `content` as marks in lines of the file."""
        extra = self.extra_lines
        if not extra:
            return tuple(marks)
        return tuple(LineMark(start, line - bisect_right(extra, line)) for start, line in marks)


def read_text(path: Path, notify: Notify) -> SourceText:
    """The text of a file; raises IngestionError where it has none, or a line without end."""
    text = decode_source(read_content(path), notify)
    if not text.content.strip():
        raise IngestionError("empty: it holds no text")
    _check_lines(text.content)
    return text


def read_content(path: Path) -> bytes:
    """The bytes of a file; raises IngestionError where it is empty or too large."""
    content = read_bounded(path, FILE_LIMIT)
    if content is None:
        size, limit = path.stat().st_size, FILE_LIMIT
        raise IngestionError(f"{size:,} bytes are more than the {limit:,} that a document may have")
    if not content.strip():
        raise IngestionError("empty: it holds no text")
    return content


def decode_source(content: bytes, notify: Notify, *, declared: str | None = None) -> SourceText:
    """The text of a file's bytes; `declared` is the encoding that the file claims."""
    text = _decode(content, notify, declared)
    cleaned = clean(text)
    if cleaned.count("\n") == text.count("\n") + text.count("\r") - text.count("\r\n"):
        return SourceText(cleaned)
    ends = enumerate(_ALL_LINE_ENDS.finditer(text), start=2)
    return SourceText(cleaned, tuple(line for line, end in ends if end.group()[0] not in "\r\n"))


def decode(content: bytes, notify: Notify) -> str:
    """Text of bytes, cleaned of invisible characters."""
    return clean(_decode(content, notify, None))


def _decode(content: bytes, notify: Notify, declared: str | None) -> str:
    text = _unicode(content)
    return _guess(content, notify, declared) if text is None else text


def clean(text: str) -> str:
    """Text with line ends as \\n and without characters of no width."""
    if "\r" in text or not text.isascii() or "\f" in text or "\v" in text:
        text = _LINE_ENDS.sub("\n", text)
    return text if text.isascii() else _INVISIBLE.sub("", text)


def without_comments(text: str) -> str:
    """Text without HTML comments; one without an end hides the rest, as in a browser."""
    parts = text.split("<!--")
    return parts[0] + "".join(part.partition("-->")[2] for part in parts[1:])


def _check_lines(text: str) -> None:
    """Raise IngestionError at a line too long to be prose, which would give endless sentences."""
    start = 0
    while len(text) - start > LINE_LIMIT:
        end = text.rfind("\n", start, start + LINE_LIMIT + 1)
        if end < 0:
            number = text.count("\n", 0, start) + 1
            raise IngestionError(f"line {number} is longer than {LINE_LIMIT:,} characters")
        start = end + 1


def is_binary(head: bytes) -> bool:
    """Whether the first bytes of a file are not text."""
    if head.startswith(tuple(_MARKS)):
        return False
    return b"\0" in head or _share(head, _CONTROLS) > 0.02


def _unicode(content: bytes) -> str | None:
    encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if encoding is None and is_binary(content):
        raise IngestionError("binary: not a text file")
    try:
        return content.decode(encoding or "utf-8")
    except UnicodeDecodeError as problem:
        if encoding in ("utf-16", "utf-32"):
            raise IngestionError(f"damaged {encoding.upper()}: {problem.reason}") from None
        return None


def _guess(content: bytes, notify: Notify, declared: str | None) -> str:
    """Decode as the declared encoding, else as UTF-8 with errors, else as windows-1252."""
    if declared is not None:
        try:
            return content.decode(declared)
        except (LookupError, UnicodeDecodeError):
            notify(f"not {declared}, which it claims to be")
    text = content.decode("utf-8", errors="replace")
    errors = text.count("\ufffd")
    if errors * 50 < sum(1 for character in text if character > "\x7f"):
        notify(f"damaged UTF-8; {errors} characters can't be read")
        return text
    if _share(content, _HIGH) > 0.3:
        raise IngestionError(
            "unknown encoding: neither UTF-8 nor windows-1252; convert it to UTF-8"
        )
    notify("not UTF-8; read as windows-1252")
    return content.decode("cp1252", errors="replace")


def _share(content: bytes, kind: bytes) -> float:
    return 1 - len(content.translate(None, kind)) / len(content) if content else 0.0
