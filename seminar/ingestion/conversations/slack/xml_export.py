"""Chats as XML with a conversation's number on each message, as Slack channels are published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import MESSAGE_LIMIT, from_text, name, words
from seminar.ingestion.conversations.slack.export import plain
from seminar.ingestion.conversations.thread_builder import Gathering, Place
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.xml_stream import XmlStream
from seminar.types import Thread, Utterance

_CHUNK = 1 << 18
_FIELDS = frozenset({"channel_name", "ts", "user", "text"})


def recognises(head: bytes) -> bool:
    """Whether a file begins with messages that name their conversation."""
    return b"<slack>" in head[:1000] or b"<message conversation_id=" in head


def read(path: Path, source: str, notify: Notify, *, by_day: bool = False) -> Iterator[Thread]:
    """A thread for each conversation; messages are cited as file.xml#ts."""
    gathering = Gathering(by_day=by_day)
    yield from combine(gathering.complete(_threads(path, source, gathering)))


def _threads(path: Path, source: str, gathering: Gathering) -> Iterator[Thread]:
    messages = _Messages()
    with open_stream(path) as stream:
        error = ""
        while not error and (chunk := stream.read1(_CHUNK)):
            error = messages.xml.feed(chunk)
            for conversation, said in messages.take(source):
                title = f"#{messages.channel}" if messages.channel else PurePosixPath(source).stem
                place = Place(title, source, conversation)
                add = gathering.add if conversation else gathering.add_to_run
                yield from add(place, said)
    if error or not messages.xml.is_complete():
        raise IngestionError(error or "cut off; what came before was read")


@dataclass(slots=True)
class _Messages:
    """What the XML parser has seen; no more than a chunk's messages are kept."""

    channel: str = ""
    _done: list[dict[str, str]] = field(default_factory=list)
    _message: dict[str, str] | None = None
    _field: str = ""
    _pieces: list[str] = field(default_factory=list)
    _size: int = 0
    xml: XmlStream = field(init=False)

    def __post_init__(self) -> None:
        self.xml = XmlStream(self._start, self._end, characters=self._characters)

    def take(self, source: str) -> Iterator[tuple[str, Utterance]]:
        """Conversation and message of all that was completed since the last time."""
        done, self._done = self._done, []
        for message in done:
            text = words(plain(message.get("text", ""), {}))
            key = name(message.get("ts", ""))
            if text and key:
                speaker = name(message.get("user", ""))
                said = Utterance(key, speaker, text, from_text(key), source=source)
                yield name(message["conversation"]), said

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "message":
            self._message = {"conversation": attributes.get("conversation_id", "")}
        elif tag in _FIELDS:
            self._field = tag
            self._pieces, self._size = [], 0

    def _characters(self, text: str) -> None:
        if self._field and self._size < MESSAGE_LIMIT:
            self._pieces.append(text)
            self._size += len(text)

    def _end(self, tag: str) -> None:
        if tag == self._field:
            content = "".join(self._pieces)
            self._field = ""
            if self._message is not None:
                self._message[tag] = content
            elif tag == "channel_name":
                self.channel = name(content)
        elif tag == "message" and self._message is not None:
            self._done.append(self._message)
            self._message = None
