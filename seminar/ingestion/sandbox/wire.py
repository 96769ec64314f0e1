"""Wire format between pool and worker: one JSON message a line, checked against types.

It is never a pickle: whatever a compromised reader sends is decoded as plain data or refused.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec

from seminar.errors import IngestionError
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.types import Document, Passage, Thread


class Request(msgspec.Struct, frozen=True):
    """A file to look into, and what to send back: format, items, passages or links."""

    reply: Literal["format", "items", "links", "passages"]
    raw_path: bytes  # a path may hold bytes that are no text
    source: str = ""
    options: ReadOptions = DEFAULT_READING

    @property
    def path(self) -> Path:
        return Path(os.fsdecode(self.raw_path))


class FormatReply(msgspec.Struct, frozen=True, tag="format"):
    """The name of the format that reads the file."""

    content: str


class LinksReply(msgspec.Struct, frozen=True, tag="links"):
    """The targets of the links on a page."""

    content: tuple[str, ...]


class DocumentReply(msgspec.Struct, frozen=True, tag="document"):
    """The next document of the file."""

    content: Document


class ThreadReply(msgspec.Struct, frozen=True, tag="thread"):
    """The next thread of the file."""

    content: Thread


class PassagesReply(msgspec.Struct, frozen=True, tag="passages"):
    """The passages of the next document or thread."""

    content: tuple[Passage, ...]


class NoticeReply(msgspec.Struct, frozen=True, tag="notice"):
    """A notice for the user: what was guessed or left out."""

    content: str


class EndReply(msgspec.Struct, frozen=True, tag="end"):
    """The end of the replies to a request; `error` is empty where all went well.

    With `unreadable` the system refused to read the file, whatever it holds.
    """

    error: str = ""
    unreadable: bool = False


Reply = (
    FormatReply | LinksReply | DocumentReply | ThreadReply | PassagesReply | NoticeReply | EndReply
)

_ENCODER = msgspec.json.Encoder()
_REQUESTS = msgspec.json.Decoder(Request)
_REPLIES: msgspec.json.Decoder[Reply] = msgspec.json.Decoder(Reply)


def encode(message: Request | Reply) -> bytes:
    """A message as one line; JSON escapes the line ends within texts."""
    try:
        return _ENCODER.encode(message) + b"\n"
    except UnicodeEncodeError:
        raise IngestionError("holds half of a surrogate pair, which is not a character") from None


def decode_request(line: bytes) -> Request:
    """The request of a line."""
    return _REQUESTS.decode(line)


def decode_reply(line: bytes) -> Reply:
    """The reply of a line; raises IngestionError where it is malformed."""
    try:
        return _REPLIES.decode(line)
    except (ValueError, RecursionError) as error:
        raise malformed(str(error)) from None


def malformed(detail: str) -> IngestionError:
    """The error for a reply that breaks the wire format."""
    return IngestionError(f"its reader sent a malformed reply: {detail[:200]}")
