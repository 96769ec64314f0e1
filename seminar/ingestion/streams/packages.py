"""Zip packages of documents (docx, xlsx, odt, epub): checked before any library opens them."""

from __future__ import annotations

import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from seminar.errors import IngestionError
from seminar.ingestion.streams.compressed import FREE, RATIO_LIMIT
from seminar.ingestion.streams.decoding import FILE_LIMIT
from seminar.ingestion.streams.xml_stream import XmlStream
from seminar.regular_files import open_regular

ENTRY_LIMIT = 20_000
UNPACKED_LIMIT = 2_000_000_000  # bytes of all entries
_CHUNK = 1 << 16
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the container of old and of encrypted files
_ENCRYPTED = 1  # a flag of an entry
# MemoryError: an entry may ask for any amount of memory to unpack it.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, KeyError,
    NotImplementedError, MemoryError,
)  # fmt: skip


@contextmanager
def open_package(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip whose entries are few enough, not encrypted, and bounded when unpacked.

    Unpacking an entry never gives more bytes than it declares, so that the sum is a bound.
    """
    with open_regular(path) as content, _opened(content) as archive:
        yield archive


@contextmanager
def _opened(content: BinaryIO) -> Iterator[zipfile.ZipFile]:
    with _archive(content) as archive:
        size = os.fstat(content.fileno()).st_size
        entries = archive.infolist()
        if len(entries) > ENTRY_LIMIT:
            raise IngestionError(f"a package of more than {ENTRY_LIMIT:,} entries; refused")
        if any(entry.flag_bits & _ENCRYPTED for entry in entries):
            raise IngestionError("encrypted: it opens only with a password")
        unpacked = sum(entry.file_size for entry in entries)
        if unpacked > min(FREE + size * RATIO_LIMIT, UNPACKED_LIMIT):
            raise IngestionError(f"expands to {unpacked:,} bytes when unpacked; refused")
        yield archive


def _archive(content: BinaryIO) -> zipfile.ZipFile:
    size = os.fstat(content.fileno()).st_size
    if size > FILE_LIMIT:
        raise IngestionError(f"{size:,} bytes are more than the {FILE_LIMIT:,} that it may have")
    try:
        return zipfile.ZipFile(content)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise IngestionError(_why_no_zip(content)) from None


def _why_no_zip(content: BinaryIO) -> str:
    content.seek(0)
    head = content.read(len(_COMPOUND))
    if not head:
        return "empty: it holds no text"
    if head == _COMPOUND:
        return "encrypted, or of an old Office format; save it again without a password"
    return "damaged, or not what its name says"


@contextmanager
def checked_package(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a package that is safe for a library: not too large, and without entities."""
    with open_regular(path) as content:
        with _opened(content) as archive:
            for entry in archive.infolist():
                if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
                    _check_prolog(archive, entry)
        content.seek(0)
        yield content


def _check_prolog(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    """Parse an XML part up to its first element: document types are declared before it."""
    begun: list[str] = []
    parser = XmlStream(lambda tag, _: begun.append(tag), lambda _: None, characters=lambda _: None)
    for chunk in chunks(archive, entry.filename):
        error = parser.feed(chunk)
        if error and not begun:
            raise IngestionError(f"{entry.filename!a}: {error}")
        if begun:
            return


def chunks(archive: zipfile.ZipFile, entry: str) -> Iterator[bytes]:
    """The content of an entry, a part at a time."""
    try:
        with archive.open(entry) as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk
    except DAMAGE:
        raise IngestionError(f"damaged: {entry!a} can't be unpacked") from None
    except RuntimeError:
        raise IngestionError("encrypted, or packed in an unknown way") from None


def content(archive: zipfile.ZipFile, entry: str, limit: int) -> bytes:
    """The bytes of an entry, which may be as many as the limit."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks(archive, entry):
        size += len(chunk)
        if size > limit:
            raise IngestionError(f"{entry!a} is larger than {limit:,} bytes")
        parts.append(chunk)
    return b"".join(parts)


def parse_entry(archive: zipfile.ZipFile, entry: str, parser: XmlStream) -> Iterator[None]:
    """Feed an XML entry to a parser, and pause after each part, so that results can be taken."""
    for chunk in chunks(archive, entry):
        if error := parser.feed(chunk):
            raise IngestionError(f"{entry!a}: {error}")
        yield
    if not parser.is_complete():
        raise IngestionError(f"{entry!a}: damaged XML: it ends too early")
