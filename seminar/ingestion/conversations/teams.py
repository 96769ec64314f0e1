"""Microsoft Teams: messages as Graph gives them, and an account's export (`messages.json`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import (
    from_text,
    in_order,
    name,
    with_attachments,
    words,
)
from seminar.ingestion.conversations.thread_builder import HELD_LIMIT, Place, ThreadBuilder
from seminar.ingestion.documents import html
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, record_of, records_of, text_of
from seminar.ingestion.streams.json_stream import elements, records
from seminar.regular_files import open_regular
from seminar.types import Thread, Utterance

_MARKUP_LIMIT = 200_000  # characters of one message
_OPENED = frozenset(
    {
        ("value",),
        ("messages",),
        ("conversations",),
        ("conversations", "*"),
        ("conversations", "*", "MessageList"),
    }
)
_WRITTEN = ("Text", "RichText", "RichText/Html")


def recognises(head: bytes) -> bool:
    """Whether a file begins like messages of Teams."""
    begins = head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"[")
    graph = b'"messageType"' in head and b'"createdDateTime"' in head and b'"body"' in head
    account = b'"conversations"' in head and b'"MessageList"' in head
    return begins and (graph or account)


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """A thread for each post with its replies, conversations of chats; cited as file#id."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_read(path, source, builder)))


def _read(path: Path, source: str, builder: ThreadBuilder) -> Iterator[Thread]:
    held: list[tuple[Place, Utterance]] = []  # of one conversation, the latest first in the file
    conversation: dict[str, object] = {}
    for place, content in _records(path):
        if place == ("conversations", "*"):
            yield from _add(held, builder)
            yield from builder.close_all()
            held, conversation = [], {}
        elif place[-2:] == ("MessageList", "*") and isinstance(content, dict):
            held += _account_message(content, conversation, source)
        elif place[-1:] == ("*",) and isinstance(content, dict):
            held += _graph_message(content, source)
        elif len(place) == 3:
            conversation[place[-1]] = content
        if len(held) >= HELD_LIMIT:
            yield from _add(held, builder)
            held = []
    yield from _add(held, builder)


def _records(path: Path) -> Iterator[tuple[tuple[str, ...], object]]:
    with open_regular(path) as stream:
        first = stream.read(1_000).lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
        stream.seek(0)
        if first == b"[":
            yield from ((("*",), element) for element in elements(stream))
        else:
            yield from records(stream, _OPENED)


def _add(held: list[tuple[Place, Utterance]], builder: ThreadBuilder) -> Iterator[Thread]:
    """Add messages in the order of time."""
    places = {id(message): place for place, message in held}
    for message in in_order([message for _, message in held]):
        place = places[id(message)]
        yield from (builder.add if place.thread else builder.add_to_run)(place, message)


def _account_message(
    record: Record, conversation: Record, source: str
) -> Iterator[tuple[Place, Utterance]]:
    if text_of(record, "messagetype") not in _WRITTEN:
        return
    channel = name(text_of(conversation, "id")).replace("/", "_")
    title = name(text_of(conversation, "displayName")) or channel
    message = _utterance(
        f"{channel}/{text_of(record, 'id')}",
        text_of(record, "displayName", "imdisplayname", "from"),
        _plain(text_of(record, "content")),
        time=record.get("originalarrivaltime"),
        source=source,
    )
    if message:
        yield Place(title, f"{source}/{channel}"), message


def _graph_message(record: Record, source: str) -> Iterator[tuple[Place, Utterance]]:
    if text_of(record, "messageType") != "message" or record.get("deletedDateTime"):
        return
    channel = text_of(record_of(record, "channelIdentity"), "channelId")
    body = record_of(record, "body")
    content = text_of(body, "content")
    text = content if text_of(body, "contentType").lower() == "text" else _plain(content)
    subject = words(text_of(record, "subject"))
    files = [text_of(file, "name") for file in records_of(record, "attachments")]
    sender = record_of(record, "from")
    person = record_of(sender, "user") or record_of(sender, "application")
    message = _utterance(
        text_of(record, "id"),
        text_of(person, "displayName"),
        with_attachments(words(f"{subject}\n{text}" if subject else text), files),
        time=record.get("createdDateTime"),
        source=source,
    )
    if message is None:
        return
    where = name(channel or text_of(record, "chatId")).replace("/", "_")
    place = Place(PurePosixPath(source).stem, f"{source}/{where}" if where else source)
    # A post in a channel opens a thread; a chat has none.
    thread = text_of(record, "replyToId") or (text_of(record, "id") if channel else "")
    yield place._replace(thread=name(thread).replace("/", "_")), message


def _utterance(key: str, speaker: str, text: str, *, time: object, source: str) -> Utterance | None:
    """A message, or None where it has no text."""
    spoken = words(text)
    if not spoken:
        return None
    return Utterance(name(key), name(speaker), spoken, from_text(time), source=source)


def _plain(markup: str) -> str:
    """The text of a message in HTML; a quoted one is left out where it is marked."""
    if "<" not in markup and "&" not in markup:
        return markup
    try:
        html.check_depth(markup[:_MARKUP_LIMIT].encode(errors="replace"))
        return html.parse(words(markup)[:_MARKUP_LIMIT], "").text
    except IngestionError:
        return ""
