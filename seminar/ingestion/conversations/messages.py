"""Messages to a thread: one text with a line for each message, and what a message may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from seminar.ingestion.streams.decoding import clean
from seminar.types import Thread, Utterance

MESSAGE_LIMIT = 200_000  # characters; what is longer is cut there, with a notice
NAME_LIMIT = 100

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def compose(said: Iterable[Utterance], *, title: str, channel: str) -> Thread:
    """A thread of messages that hold words: `Speaker: words`, with the offsets of the words.

    >>> thread = compose([Utterance("1", "Ada", "Hello", source="a.mbox")], title="T", channel="a")
    >>> thread.source, thread.text, thread.utterances[0].start
    ('a.mbox#1', 'Ada: Hello', 5)
    """
    placed: list[Utterance] = []
    lines: list[str] = []
    at = 0
    for one in said:
        label = f"{one.speaker}: " if one.speaker else ""
        start = at + len(label)
        placed.append(replace(one, start=start, end=start + len(one.text)))
        lines.append(label + one.text)
        at = start + len(one.text) + 1
    source = f"{placed[0].source}#{placed[0].key}"
    return Thread(source, title, "\n".join(lines), tuple(placed), channel)


def words(text: str) -> str:
    """A message's words: line ends as \\n, no invisible characters, no space around them."""
    whole = (
        text
        if text.isascii()
        else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    return _CONTROLS.sub("", clean(whole)).strip()[:MESSAGE_LIMIT].rstrip()


def name(text: str) -> str:
    """A speaker, channel or key, fit to stand on one line.

    >>> name(" Ada\\n Lovelace ")
    'Ada Lovelace'
    """
    return " ".join(words(text[: 4 * NAME_LIMIT]).split())[:NAME_LIMIT].rstrip()


def from_epoch(seconds: object) -> datetime | None:
    """The time of a count of seconds since 1970 (or milliseconds, where it is that large)."""
    try:
        count = float(str(seconds))
        return datetime.fromtimestamp(count / 1000 if abs(count) > 1e11 else count, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def from_text(text: object) -> datetime | None:
    """The time that ISO 8601, or a count of seconds, says; None where it says none."""
    if not isinstance(text, str):
        return from_epoch(text)
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return from_epoch(text)


def in_order(said: Sequence[Utterance]) -> list[Utterance]:
    """Messages by time, where all have one of one kind; else as they came."""
    times = [one.time for one in said]
    if any(time is None for time in times):
        return list(said)
    aware = [time.tzinfo is not None for time in times if time]
    if any(aware) != all(aware):
        return list(said)
    return sorted(said, key=lambda one: one.time or datetime.min)


def with_attachments(text: str, names: Iterable[str]) -> str:
    """A message's words, and a line for each file that it carries."""
    lines = [f"[attachment: {name(one)}]" for one in names if one.strip()]
    return "\n".join([text, *lines] if text else lines)
