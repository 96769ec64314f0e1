"""The marker by which the folder of an index is known, and no other folder is taken for one."""

from __future__ import annotations

from pathlib import Path

import msgspec

from seminar.regular_files import is_regular, open_regular

MARKER = "seminar-index.json"
CATALOG = "catalog.sqlite"
TABLE = "passages.lance"
LOCK = "writer.lock"
HOLDER = "writer.pid"
READERS = "readers.lock"
REBUILT = "rebuilt"  # where a repair makes the index anew
# All that an index consists of; an interrupted creation may leave a part of it.
NAMES = frozenset({MARKER, CATALOG, TABLE, LOCK, HOLDER, READERS, REBUILT, "catalog.new"})
_JOURNALS = ("-journal", "-wal", "-shm")
_SIZE = 10_000
# How the catalogs begin of indexes that were made before there was a marker.
_UNMARKED = b"CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER"


class Marker(msgspec.Struct, frozen=True):
    """The format of an index, and the encoder that made its vectors."""

    format: int
    encoder: str
    dimensions: int
    made_by: str = "seminar"


def read_marker(folder: Path) -> Marker | None:
    """The marker in a folder; None where there is none, or something else of that name."""
    content = _beginning(folder / MARKER, _SIZE)
    try:
        marker = msgspec.json.decode(content, type=Marker)
    except (msgspec.MsgspecError, ValueError):
        return None
    return marker if marker.made_by == "seminar" else None


def encode_marker(marker: Marker) -> bytes:
    """The content of a marker's file."""
    return msgspec.json.encode(marker) + b"\n"


def is_index(folder: Path) -> bool:
    """Whether a folder holds an index of Seminar, whole or damaged.

    It has a marker, or a catalog as those without marker had it, or nothing but parts of an index.
    """
    if read_marker(folder) is not None or _UNMARKED in _beginning(folder / CATALOG, 1 << 16):
        return True
    try:
        held = {path.name for path in folder.iterdir()}
    except OSError:
        return False
    return TABLE in held and CATALOG in held and not foreign(held)


def foreign(names: set[str]) -> list[str]:
    """The names in a folder that are of no part of an index.

    >>> foreign({"catalog.sqlite", "catalog.sqlite-journal", "thesis.docx"})
    ['thesis.docx']
    """
    journals = {f"{name}{end}" for name in (CATALOG, "catalog.new") for end in _JOURNALS}
    return sorted(name for name in names - NAMES - journals if not name.startswith(f".{MARKER}."))


def _beginning(path: Path, size: int) -> bytes:
    if not is_regular(path):
        return b""
    try:
        with open_regular(path) as file:
            return file.read(size)
    except OSError:
        return b""
