"""Chats as XML with a conversation id on each message, the form of published Slack channels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import MESSAGE_LIMIT, from_text, name, words
from seminar.ingestion.conversations.slack.export import plain
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.xml_stream import FieldText, XmlStream
from seminar.types import Thread, Utterance

_CHUNK = 1 << 18
_FIELDS = frozenset({"channel_name", "ts", "user", "text"})


def recognises(head: bytes) -> bool:
    """Whether a file begins with messages that name their conversation."""
    return b"<slack>" in head[:1000] or b"<message conversation_id=" in head


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """A thread for each conversation; messages are cited as file.xml#ts."""
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_threads(path, source, builder)))


def _threads(path: Path, source: str, builder: ThreadBuilder) -> Iterator[Thread]:
    messages = _Messages()
    with open_stream(path) as stream:
        error = ""
        while not error and (chunk := stream.read1(_CHUNK)):
            error = messages.xml.feed(chunk)
            for conversation, message in messages.take(source):
                title = f"#{messages.channel}" if messages.channel else PurePosixPath(source).stem
                place = Place(title, source, conversation)
                add = builder.add if conversation else builder.add_to_run
                yield from add(place, message)
    if error or not messages.xml.is_complete():
        raise IngestionError(error or "cut off; what came before was read")


@dataclass(slots=True)
class _Messages:
    """The state of the XML parser; it keeps the messages of one chunk at most."""

    channel: str = ""
    _done: list[dict[str, str]] = field(default_factory=list)
    _message: dict[str, str] | None = None
    _field: FieldText = field(default_factory=lambda: FieldText(MESSAGE_LIMIT))
    xml: XmlStream = field(init=False)

    def __post_init__(self) -> None:
        self.xml = XmlStream(self._start, self._end, characters=self._field.add)

    def take(self, source: str) -> Iterator[tuple[str, Utterance]]:
        """Conversation id and message of each message completed since the last call."""
        done, self._done = self._done, []
        for record in done:
            text = words(plain(record.get("text", ""), {}))
            key = name(record.get("ts", ""))
            if text and key:
                speaker = name(record.get("user", ""))
                message = Utterance(key, speaker, text, from_text(key), source=source)
                yield name(record["conversation"]), message

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "message":
            self._message = {"conversation": attributes.get("conversation_id", "")}
        elif tag in _FIELDS:
            self._field.begin(tag)

    def _end(self, tag: str) -> None:
        content = self._field.end(tag)
        if content is not None:
            if self._message is not None:
                self._message[tag] = content
            elif tag == "channel_name":
                self.channel = name(content)
        elif tag == "message" and self._message is not None:
            self._done.append(self._message)
            self._message = None
