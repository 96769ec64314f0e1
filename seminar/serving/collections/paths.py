"""Names of uploaded files: relative paths that stay inside their collection."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath

from seminar.serving.problems import Problem

LONGEST_PATH = 1_000  # characters
LONGEST_PART = 255  # bytes, as file systems have it
DEEPEST = 30


def safe_path(name: str) -> PurePosixPath:
    """A relative path without parts that lead elsewhere, or an error that names the part.

    >>> str(safe_path("notes/2024.md"))
    'notes/2024.md'
    """
    name = unicodedata.normalize("NFC", name)
    parts = name.split("/")
    if len(name) > LONGEST_PATH or len(parts) > DEEPEST:
        raise _wrong(name, f"is longer than {LONGEST_PATH} characters or {DEEPEST} folders")
    for part in parts:
        reason = _reason(part)
        if reason:
            raise _wrong(name, reason)
    return PurePosixPath(*parts)


def _reason(part: str) -> str:
    """Why a part can't be used; empty if it can."""
    if part in ("", ".", ".."):
        return f"has the part {part!r}; write it relative to the collection, as in notes/a.md"
    if part.startswith("."):
        return f"has the hidden part {part!r}; hidden files are not indexed"
    if "\\" in part or any(unicodedata.category(one) in ("Cc", "Cs") for one in part):
        return "has a backslash or a character that is not text"
    if len(part.encode()) > LONGEST_PART:
        return f"has a part of more than {LONGEST_PART} bytes"
    return ""


def _wrong(name: str, reason: str) -> Problem:
    shown = name[:100].encode(errors="backslashreplace").decode()
    return Problem(422, f"The path {shown!r} {reason}.")


def inside(root: Path, name: PurePosixPath) -> Path:
    """The place of a name below a folder; one that a link leads out of it is refused."""
    path = root / name
    if not path.resolve().is_relative_to(root.resolve()):
        raise _wrong(str(name), "leads out of the collection")
    return path
