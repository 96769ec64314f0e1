"""Passages as two values of a row: the searched text, and a record of all else, with a checksum.

A record is JSON without the names of the fields; JSON and not MessagePack, whose timestamps lose
the time zone. It has no text, nor the words of utterances that are in the text, so that an index
holds every text once.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from datetime import datetime

import msgspec

from seminar.errors import IndexStoreError
from seminar.types import LineMark, Link, Page, Passage, Place, Utterance

_CHECKSUM = 8  # hexadecimal digits before each record
_Marks = list[tuple[int, int]]
_Stretches = list[tuple[str, int, int]]


class _Utterance(msgspec.Struct, array_like=True):
    """An utterance; without `text` its words are those between its offsets."""

    key: str
    speaker: str
    text: str | None
    time: datetime | None
    start: int
    end: int
    source: str
    lines: _Marks


class _Record(msgspec.Struct, array_like=True):
    source: str
    start: int
    end: int
    title: str
    section: str
    scope: str
    lines: _Marks
    links: _Stretches
    pages: list[tuple[int, int, int]]
    places: _Stretches
    utterances: list[_Utterance]


_DECODER = msgspec.json.Decoder(_Record)
_WHOLE = msgspec.json.Decoder(Passage)  # records of earlier formats have the names of the fields


def encode_record(passage: Passage) -> bytes:
    """A checksum, and a passage as JSON without its text, the end of its `searched` text."""
    try:
        record = _encode(passage)
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
        if not record.startswith(b"{"):  # rows of format 4 and earlier have no checksum
            given, record = record[:_CHECKSUM], record[_CHECKSUM:]
            if given != _checksum(searched, record):
                raise ValueError("a passage is not as it was written")
        if record.startswith(b"["):
            return _decode(record, searched)
        passage = _WHOLE.decode(record)
    except (msgspec.MsgspecError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"a passage can't be decoded: {str(error)[:200]}") from None
    return replace(passage, text=searched[len(passage.heading) + 1 :])


def _checksum(searched: str, record: bytes) -> bytes:
    return b"%08x" % zlib.crc32(record, zlib.crc32(searched.encode()))


def _encode(passage: Passage) -> bytes:
    return msgspec.json.encode(
        _Record(
            passage.source,
            passage.start,
            passage.end,
            passage.title,
            passage.section,
            passage.scope,
            list(passage.lines),
            [(link.target, link.start, link.end) for link in passage.links],
            [(page.number, page.start, page.end) for page in passage.pages],
            [(place.name, place.start, place.end) for place in passage.places],
            [_encode_utterance(one, passage.text) for one in passage.utterances],
        )
    )


def _decode(record: bytes, searched: str) -> Passage:
    held = _DECODER.decode(record)
    bare = Passage(held.source, held.start, held.end, "", held.title, held.section)
    text = searched[len(bare.heading) + 1 :]
    return Passage(
        held.source,
        held.start,
        held.end,
        text,
        held.title,
        held.section,
        held.scope,
        links=tuple(Link(start, end, target) for target, start, end in held.links),
        pages=tuple(Page(*page) for page in held.pages),
        utterances=tuple(_decode_utterance(one, text) for one in held.utterances),
        lines=_marks(held.lines),
        places=tuple(Place(*place) for place in held.places),
    )


def _encode_utterance(one: Utterance, text: str) -> _Utterance:
    words = None if text[one.start : one.end] == one.text else one.text
    lines = list(one.lines)
    return _Utterance(
        one.key,
        one.speaker,
        words,
        one.time,
        one.start,
        one.end,
        one.source,
        lines,  # type: ignore[arg-type]
    )


def _decode_utterance(one: _Utterance, text: str) -> Utterance:
    words = text[one.start : one.end] if one.text is None else one.text
    lines = _marks(one.lines)
    return Utterance(one.key, one.speaker, words, one.time, one.start, one.end, one.source, lines)


def _marks(pairs: _Marks) -> tuple[LineMark, ...]:
    return tuple(LineMark(start, line) for start, line in pairs)
