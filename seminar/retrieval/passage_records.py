"""Passages as two values of a row: the searched text, and a record of all else, with a checksum."""

from __future__ import annotations

import zlib
from dataclasses import replace

import msgspec

from seminar.errors import IndexStoreError
from seminar.types import Passage

_DECODER = msgspec.json.Decoder(Passage)
_CHECKSUM = 8  # hexadecimal digits before each record


def encode_record(passage: Passage) -> bytes:
    """A checksum, and a passage as JSON without its text, the end of its `searched` text.

    JSON and not MessagePack, whose timestamps lose the time zone.
    """
    try:
        record = msgspec.json.encode(replace(passage, text=""))
        return _checksum(passage.searched, record) + record
    except UnicodeEncodeError as error:
        raise IndexStoreError(
            f"passage {passage.id!a} can't be stored as UTF-8: it holds "
            f"{error.object[error.start]!a}, half of a surrogate pair. "
            "Replace it first, as seminar.text.whole does"
        ) from error


def decode_record(record: bytes, searched: str) -> Passage:
    """The passage of a row; raises ValueError where it is not as it was written."""
    try:
        if not record.startswith(b"{"):  # rows of earlier formats have no checksum
            given, record = record[:_CHECKSUM], record[_CHECKSUM:]
            if given != _checksum(searched, record):
                raise ValueError("a passage is not as it was written")
        passage = _DECODER.decode(record)
    except (msgspec.MsgspecError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"a passage can't be decoded: {str(error)[:200]}") from None
    return replace(passage, text=searched[len(passage.heading) + 1 :])


def _checksum(searched: str, record: bytes) -> bytes:
    return b"%08x" % zlib.crc32(record, zlib.crc32(searched.encode()))
