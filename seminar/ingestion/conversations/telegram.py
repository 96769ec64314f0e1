"""Telegram's export as JSON (`result.json`): one chat, or all of an account."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.conversations.messages import from_text, name, with_attachments, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, text_of
from seminar.ingestion.streams.json_stream import records
from seminar.regular_files import open_regular
from seminar.types import Thread, Utterance

_CHATS = [("chats", "list", "*"), ("left_chats", "list", "*")]
_OPENED = frozenset(
    {
        ("messages",),
        *(chat[:end] for chat in _CHATS for end in (1, 2, 3)),
        *((*chat, "messages") for chat in _CHATS),
    }
)
_KINDS = (b'"personal_chat"', b'"private_', b'"public_', b'"saved_messages"', b'"bot_chat"')


def recognises(head: bytes) -> bool:
    """Whether a file begins like an export of Telegram."""
    begins = head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{")
    chat = b'"messages"' in head and any(kind in head[:2_000] for kind in _KINDS)
    account = b'"chats"' in head and b'"list"' in head and b"Telegram" in head
    return begins and (chat or account or (b'"messages"' in head and b'"text_entities"' in head))


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """The conversations of each chat; messages are cited as file#id."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_chats(path, source, builder)))


def _chats(path: Path, source: str, builder: ThreadBuilder) -> Iterator[Thread]:
    chat: dict[str, object] = {}
    in_account = ""  # an id is unique in its chat only
    with open_regular(path) as stream:
        for place, content in records(stream, _OPENED):
            if place in _CHATS:
                yield from builder.close_all()
                chat = {}
            elif place[-2:] == ("messages", "*") and isinstance(content, dict):
                in_account = f"{text_of(chat, 'id')}/" if len(place) > 2 else ""
                if message := _message(content, source, in_account):
                    answers = text_of(content, "reply_to_message_id")
                    yield from builder.add_to_run(
                        _place(chat, source, in_account),
                        message,
                        answers=f"{in_account}{answers}" if answers else "",
                    )
            elif len(place) in (1, 4):
                chat[place[-1]] = content


def _place(chat: Record, source: str, in_account: str) -> Place:
    title = name(text_of(chat, "name")) or PurePosixPath(source).stem
    return Place(title, f"{source}/{in_account}".rstrip("/"))


def _message(record: Record, source: str, in_account: str) -> Utterance | None:
    """A message; None for what only tells of joins, pins and calls."""
    if text_of(record, "type") != "message":
        return None
    files = [PurePosixPath(text_of(record, field)).name for field in ("file_name", "file", "photo")]
    named = [file for file in files if file and not file.startswith("(")]
    text = with_attachments(words(_text(record.get("text"))), named[:1])
    if not text:
        return None
    return Utterance(
        name(in_account + text_of(record, "id")),
        name(text_of(record, "from", "actor")),
        text,
        from_text(record.get("date")),
        source=source,
    )


def _text(text: object) -> str:
    """The words of a message, which are a text, or a list of texts and pieces with a style."""
    if isinstance(text, str):
        return text
    pieces = text if isinstance(text, list) else []
    return "".join(
        piece if isinstance(piece, str) else text_of(piece, "text")
        for piece in pieces
        if isinstance(piece, str | dict)
    )
