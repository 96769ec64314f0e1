"""Signal's chat history exported as JSON lines (`main.jsonl`): recipients, chats and messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.conversations.messages import from_epoch, name, with_attachments, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, record_of, records_of, text_of
from seminar.ingestion.streams.json_stream import lines
from seminar.regular_files import open_regular
from seminar.types import LineMark, Thread, Utterance

_NAMES = (
    ("nickname.given", "nickname.family"),
    ("systemGivenName", "systemFamilyName"),
    ("profileGivenName", "profileFamilyName"),
    ("username",),
    ("e164",),
)


def recognises(head: bytes) -> bool:
    """Whether a file begins with the version and time of an export of Signal."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n\t").partition(b"\n")[0]
    return first.startswith(b"{") and b'"backupTimeMs"' in first and b'"version"' in first


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """The conversations of each chat; messages are cited as file#chat/time of sending."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_read(path, source, notify, builder)))


def _read(path: Path, source: str, notify: Notify, builder: ThreadBuilder) -> Iterator[Thread]:
    people: dict[str, str] = {}
    chats: dict[str, str] = {}
    myself = "Me"
    broken = 0
    with open_regular(path) as stream:
        for number, record in lines(stream):
            if record is None:
                broken += 1
            elif account := record_of(record, "account"):
                myself = _full_name(account, ("givenName", "familyName")) or myself
            elif recipient := record_of(record, "recipient"):
                people[text_of(recipient, "id")] = _recipient(recipient, myself)
            elif chat := record_of(record, "chat"):
                chats[text_of(chat, "id")] = people.get(text_of(chat, "recipientId"), "")
            elif item := record_of(record, "chatItem"):
                yield from _add(item, number, people, chats, source, builder)
    if broken:
        notify(f"lines that are no JSON objects were left out: {broken}")


def _add(
    item: Record,
    number: int,
    people: dict[str, str],
    chats: dict[str, str],
    source: str,
    builder: ThreadBuilder,
) -> Iterator[Thread]:
    content = record_of(item, "standardMessage")
    files = [
        text_of(record_of(file, "pointer"), "fileName")
        for file in records_of(content, "attachments")
    ]
    spoken = with_attachments(words(text_of(record_of(content, "text"), "body")), files)
    if not spoken:
        return
    chat = name(text_of(item, "chatId")).replace("/", "_")
    sent = text_of(item, "dateSent")
    message = Utterance(
        name(f"{chat}/{sent}"),
        name(people.get(text_of(item, "authorId"), "")),
        spoken,
        from_epoch(sent),
        source=source,
        lines=(LineMark(0, number),),
    )
    quoted = text_of(record_of(content, "quote"), "targetSentTimestamp")
    title = name(chats.get(chat, "")) or PurePosixPath(source).stem
    yield from builder.add_to_run(
        Place(title, f"{source}/{chat}"), message, answers=f"{chat}/{quoted}" if quoted else ""
    )


def _recipient(recipient: Record, myself: str) -> str:
    """The name of a person or group."""
    if "self" in recipient:
        return myself
    group = record_of(record_of(recipient, "group"), "snapshot")
    if group:
        return text_of(record_of(group, "title"), "title")
    contact = record_of(recipient, "contact")
    return next(filter(None, (_full_name(contact, fields) for fields in _NAMES)), "")


def _full_name(person: Record, fields: tuple[str, ...]) -> str:
    """The given and family names of a person; a dot leads into an object."""
    parts = []
    for field in fields:
        outer, _, inner = field.rpartition(".")
        parts.append(text_of(record_of(person, outer) if outer else person, inner))
    return " ".join(filter(None, parts))
