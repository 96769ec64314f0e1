"""Bytes to text: Unicode where it is Unicode, windows-1252 with a notice, else a refusal."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from pathlib import Path

from seminar.errors import IngestionError
from seminar.io import read_bounded

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
# Characters that take no room and only get in the way of finding words.
_INVISIBLE = re.compile("[\ufeff\u00ad\u200b\u2060]")


def read_text(path: Path, notify: Notify, *, declared: str | None = None) -> str:
    """A text file's content with line ends as \\n; `declared` is the encoding it claims."""
    text = decode(read_content(path), notify, declared=declared)
    if not text.strip():
        raise IngestionError("empty: it holds no text")
    return text


def read_content(path: Path) -> bytes:
    """A file's bytes, refused where empty or larger than a document is."""
    content = read_bounded(path, FILE_LIMIT)
    if content is None:
        size, limit = path.stat().st_size, FILE_LIMIT
        raise IngestionError(f"{size:,} bytes are more than the {limit:,} that a document may have")
    if not content.strip():
        raise IngestionError("empty: it holds no text")
    return content


def decode(content: bytes, notify: Notify, *, declared: str | None = None) -> str:
    """Text of bytes, cleaned of invisible characters."""
    text = _unicode(content)
    if text is None:
        text = _guess(content, notify, declared)
    return clean(text)


def clean(text: str) -> str:
    """Text with line ends as \\n and without characters that take no room."""
    if "\r" in text or not text.isascii() or "\f" in text or "\v" in text:
        text = _LINE_ENDS.sub("\n", text)
    return text if text.isascii() else _INVISIBLE.sub("", text)


def without_comments(text: str) -> str:
    """Text without HTML comments; one that never ends hides what follows, as in a browser."""
    parts = text.split("<!--")
    return parts[0] + "".join(part.partition("-->")[2] for part in parts[1:])


def check_lines(text: str) -> None:
    """Refuse lines that no person wrote, which would make sentences and passages without end."""
    start = 0
    while len(text) - start > LINE_LIMIT:
        end = text.rfind("\n", start, start + LINE_LIMIT + 1)
        if end < 0:
            number = text.count("\n", 0, start) + 1
            raise IngestionError(f"line {number} is longer than {LINE_LIMIT:,} characters")
        start = end + 1


def is_binary(head: bytes) -> bool:
    """Whether the beginning of a file is of something other than text."""
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
    """Text that is not UTF-8: what it claims to be, else UTF-8 with slips, else windows-1252."""
    if declared is not None:
        try:
            return content.decode(declared)
        except (LookupError, UnicodeDecodeError):
            notify(f"not {declared}, which it claims to be")
    text = content.decode("utf-8", errors="replace")
    slips = text.count("\ufffd")
    if slips * 50 < sum(1 for character in text if character > "\x7f"):
        notify(f"damaged UTF-8; {slips} characters can't be read")
        return text
    if _share(content, _HIGH) > 0.3:
        raise IngestionError(
            "unknown encoding: neither UTF-8 nor windows-1252; convert it to UTF-8"
        )
    notify("not UTF-8; read as windows-1252")
    return content.decode("cp1252", errors="replace")


def _share(content: bytes, kind: bytes) -> float:
    return 1 - len(content.translate(None, kind)) / len(content) if content else 0.0
