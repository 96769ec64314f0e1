"""Chat exports as JSON: Discord (DiscordChatExporter), Mattermost (bulk export), JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.conversations.messages import from_text, name, with_attachments, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, record_of, records_of, text_of
from seminar.ingestion.streams.json_stream import fields, lines
from seminar.regular_files import open_regular
from seminar.types import LineMark, Thread, Utterance

SPEAKER = ("speaker", "user", "author", "sender", "from", "username", "nick")
TEXT = ("text", "message", "content", "body", "utterance")
TIME = ("time", "timestamp", "ts", "date", "created_at", "create_at")
KEY = ("id", "key", "message_id", "ts")
CONVERSATION = ("thread", "thread_id", "thread_ts", "conversation_id", "conversation")
CHANNEL = ("channel", "room", "subject", "title")
_DISCORD_NOTICES = ("GuildMember", "Recipient", "ChannelPinned", "ChannelName", "ThreadCreated")


def recognises_discord(head: bytes) -> bool:
    """Whether a file begins like an export of DiscordChatExporter."""
    begins = head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{") and b'"guild"' in head[:2000]
    return begins and (b'"channel"' in head or b'"messages"' in head)


def read_discord(
    path: Path, source: str, notify: Notify, *, by_day: bool = False
) -> Iterator[Thread]:
    """The conversations of a channel; a Discord thread, which has its own file, is one of them."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_discord(path, source, builder)))


def _discord(path: Path, source: str, builder: ThreadBuilder) -> Iterator[Thread]:
    place = Place(PurePosixPath(source).stem, source)
    with open_regular(path) as stream:
        for field, content in fields(stream, "messages"):
            if not isinstance(content, dict):
                continue
            if field == "channel":
                place = _discord_place(content, place)
            elif field == "messages" and (message := _discord_message(content, source)):
                if place.thread:
                    yield from builder.add(place, message)
                else:
                    answers = text_of(record_of(content, "reference"), "messageId")
                    yield from builder.add_to_run(place, message, answers=answers)


def _discord_place(channel: Record, place: Place) -> Place:
    title = name("#" + text_of(channel, "name"))
    thread = text_of(channel, "id") if "Thread" in text_of(channel, "type") else ""
    return Place(title if len(title) > 1 else place.title, place.channel, name(thread))


def _discord_message(message: Record, source: str) -> Utterance | None:
    if text_of(message, "type").startswith(_DISCORD_NOTICES):
        return None
    author = record_of(message, "author")
    embeds = [
        text_of(e, f) for e in records_of(message, "embeds") for f in ("title", "description")
    ]
    text = words("\n".join(filter(None, [_discord_text(message), *embeds])))
    files = [text_of(file, "fileName") for file in records_of(message, "attachments")]
    return _utterance(
        text_of(message, "id"),
        text_of(author, "nickname", "name"),
        with_attachments(text, files),
        time=message.get("timestamp"),
        source=source,
    )


def _discord_text(message: Record) -> str:
    text = text_of(message, "content")
    for person in records_of(message, "mentions"):
        shown = "@" + text_of(person, "nickname", "name")
        for mark in ("<@", "<@!"):
            text = text.replace(f"{mark}{text_of(person, 'id')}>", shown)
    return text


def recognises_mattermost(head: bytes) -> bool:
    """Whether a file begins like a bulk export of Mattermost."""
    first = head.lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and b'"type"' in first and b'"version"' in first


def read_mattermost(
    path: Path, source: str, notify: Notify, *, by_day: bool = False
) -> Iterator[Thread]:
    """A thread for each post with replies; other posts by channel and conversation."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_mattermost(path, source, notify, builder)))


def _mattermost(
    path: Path, source: str, notify: Notify, builder: ThreadBuilder
) -> Iterator[Thread]:
    people: dict[str, str] = {}
    channels: dict[str, str] = {}
    for number, record in _lines(path, notify):
        user, channel = record_of(record, "user"), record_of(record, "channel")
        if user:
            people[text_of(user, "username")] = _mattermost_name(user)
        elif channel:
            channels[text_of(channel, "name")] = text_of(channel, "display_name", "name")
        elif post := record_of(record, "post") or record_of(record, "direct_post"):
            known = text_of(post, "channel") or "direct"
            place = Place(
                name("#" + channels.get(known, known)), f"{source}/{name(known).replace('/', '_')}"
            )
            messages = list(_mattermost_posts(post, number, people, source))
            if len(messages) > 1:
                place = place._replace(thread=str(number))
            for message in messages:
                yield from (builder.add if place.thread else builder.add_to_run)(place, message)
            yield from builder.close(place)


def _mattermost_name(user: Record) -> str:
    full = f"{text_of(user, 'first_name')} {text_of(user, 'last_name')}"
    return name(text_of(user, "nickname") or full) or name(text_of(user, "username"))


def _mattermost_posts(
    post: Record, number: int, people: dict[str, str], source: str
) -> Iterator[Utterance]:
    """A post and its replies, identified by their lines, as the export gives no ids."""
    for position, record in enumerate([post, *records_of(post, "replies")]):
        if text_of(record, "type").startswith("system_"):
            continue
        files = [
            PurePosixPath(text_of(file, "path")).name for file in records_of(record, "attachments")
        ]
        user = text_of(record, "user")
        message = _utterance(
            f"{number}.{position}" if position else str(number),
            people.get(user, user),
            with_attachments(words(text_of(record, "message")), files),
            time=record.get("create_at"),
            source=source,
            line=number,
        )
        if message is not None:
            yield message


def recognises_lines(head: bytes) -> bool:
    """Whether a file begins with an object that has a speaker and a text."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n\t").partition(b"\n")[0]
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and bool(_speaker(record) and text_of(record, *TEXT))


def read_lines(
    path: Path, source: str, notify: Notify, *, by_day: bool = False
) -> Iterator[Thread]:
    """Messages of any tool, one JSON object per line; those that name their thread belong to it."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_json_lines(path, source, notify, builder)))


def _json_lines(
    path: Path, source: str, notify: Notify, builder: ThreadBuilder
) -> Iterator[Thread]:
    for number, record in _lines(path, notify):
        message = _utterance(
            text_of(record, *KEY) or str(number),
            _speaker(record),
            words(text_of(record, *TEXT)),
            time=next((record[field] for field in TIME if record.get(field)), None),
            source=source,
            line=number,
        )
        if message is None:
            continue
        channel = name(text_of(record, *CHANNEL)).replace("/", "_")
        place = Place(
            channel or PurePosixPath(source).stem, f"{source}/{channel}" if channel else source
        )
        thread = name(text_of(record, *CONVERSATION)).replace("/", "_")
        if thread:
            yield from builder.add(place._replace(thread=thread), message)
        else:
            yield from builder.add_to_run(place, message)


def _speaker(record: Record) -> str:
    """The speaker, given as text or as an object with a name."""
    for field in SPEAKER:
        author = record_of(record, field)
        if speaker := text_of(record, field) or text_of(author, "name", "username"):
            return speaker
    return ""


def _lines(path: Path, notify: Notify) -> Iterator[tuple[int, Record]]:
    broken = first = 0
    with open_stream(path) as stream:
        for number, record in lines(stream):
            if record is not None:
                yield number, record
                continue
            first = first or number
            broken += 1
    if broken:
        notify(f"lines that are no JSON objects were left out: {broken}, the first is line {first}")


def _utterance(
    key: str, speaker: str, text: str, *, time: object, source: str, line: int | None = None
) -> Utterance | None:
    """A message, or None where it has no text."""
    if not text:
        return None
    lines = () if line is None else (LineMark(0, line),)
    return Utterance(name(key), name(speaker), text, from_text(time), source=source, lines=lines)
