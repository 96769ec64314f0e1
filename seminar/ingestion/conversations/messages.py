"""Composing a thread of messages, and cleaning the texts, names and times of messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from seminar.ingestion.source_lines import shift
from seminar.ingestion.streams.decoding import clean
from seminar.types import Thread, Utterance

MESSAGE_LIMIT = 200_000  # characters, at which longer messages are cut
NAME_LIMIT = 100

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def compose(messages: Iterable[Utterance], *, title: str, channel: str) -> Thread:
    """A thread with a line `Speaker: words` for each message, and the offsets of the words.

    >>> thread = compose([Utterance("1", "Ada", "Hello", source="a.mbox")], title="T", channel="a")
    >>> thread.source, thread.text, thread.utterances[0].start
    ('a.mbox#1', 'Ada: Hello', 5)
    """
    placed: list[Utterance] = []
    lines: list[str] = []
    at = 0
    for message in messages:
        label = f"{message.speaker}: " if message.speaker else ""
        start = at + len(label)
        end = start + len(message.text)
        placed.append(replace(message, start=start, end=end, lines=shift(message.lines, start)))
        lines.append(label + message.text)
        at = end + 1
    source = f"{placed[0].source}#{placed[0].key}"
    return Thread(source, title, "\n".join(lines), tuple(placed), channel)


def words(text: str) -> str:
    """The text of a message: line ends as \\n, no invisible characters, no space at its ends."""
    whole = (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    return _CONTROLS.sub("", clean(whole)).strip()[:MESSAGE_LIMIT].rstrip()


def name(text: str) -> str:
    """A speaker, channel or key on one line.

    >>> name(" Ada\\n Lovelace ")
    'Ada Lovelace'
    """
    return " ".join(words(text[: 4 * NAME_LIMIT]).split())[:NAME_LIMIT].rstrip()


def from_epoch(seconds: object) -> datetime | None:
    """The time of a count of seconds since 1970, or of milliseconds if it is that large."""
    try:
        count = float(str(seconds))
        return datetime.fromtimestamp(count / 1000 if abs(count) > 1e11 else count, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def from_text(text: object) -> datetime | None:
    """The time of an ISO 8601 text or of a count of seconds; None where it is neither."""
    if not isinstance(text, str):
        return from_epoch(text)
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return from_epoch(text)


def in_order(messages: Sequence[Utterance]) -> list[Utterance]:
    """Messages by time, where all have a time and all or none a time zone; else unchanged."""
    times = [message.time for message in messages]
    if any(time is None for time in times):
        return list(messages)
    aware = [time.tzinfo is not None for time in times if time]
    if any(aware) != all(aware):
        return list(messages)
    return sorted(messages, key=lambda message: message.time or datetime.min)


def with_attachments(text: str, names: Iterable[str]) -> str:
    """The text of a message, and a line for each file attached to it."""
    lines = [f"[attachment: {name(attached)}]" for attached in names if attached.strip()]
    return "\n".join([text, *lines] if text else lines)
