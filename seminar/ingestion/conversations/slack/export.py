"""Slack exports: the threads of a channel, with late replies and people by name.

A thread never leaves its channel: the day files of a channel are read in order, and a thread is
held until the day of its last reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.conversations.messages import from_epoch, name, with_attachments, words
from seminar.ingestion.conversations.thread_builder import Place, ThreadBuilder
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, record_of, records_of, text_of
from seminar.io import read_bounded
from seminar.regular_files import is_regular
from seminar.types import Thread, Utterance

DAY_LIMIT = 50_000_000  # bytes of a day's file, or of users.json
DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
METADATA = frozenset(
    f"{kind}.json"
    for kind in "users channels groups dms mpims org_users integration_logs canvases lists"
    " file_conversations huddle_transcripts".split()
)
_MEMBERSHIP = frozenset(
    f"{place}_{act}" for place in ("channel", "group") for act in ("join", "leave", "archive")
) | {"bot_add", "bot_remove", "tombstone", "channel_unarchive", "reminder_add", "pinned_item"}
_MARKUP = re.compile(r"<([^<>]{1,4000})>")
_THREAD = re.compile(rb'"thread_ts"\s*:\s*"([\d.]{1,40})"')


@dataclass(frozen=True, slots=True)
class Day:
    """A channel's file of a day: its name in citations, and a function that reads its bytes."""

    source: str
    content: Callable[[], bytes]

    @property
    def name(self) -> str:
        return self.source.rpartition("/")[2]


def is_channel(folder: Path) -> bool:
    """Whether a folder holds day files."""
    return next(iter(day_files(folder)), None) is not None


def day_files(folder: Path) -> list[Path]:
    """The day files of a channel's folder, oldest first: regular files alone."""
    return sorted(
        path for path in folder.glob("*.json") if DAY.fullmatch(path.name) and is_regular(path)
    )


def users_file(folder: Path) -> Path | None:
    """The list of people beside a channel's folder."""
    path = folder.parent / "users.json"
    return path if is_regular(path) else None


def read_folder(
    path: Path, source: str, notify: Notify, *, by_day: bool = False
) -> Iterator[Thread]:
    """The threads of a channel's folder; messages are cited as channel/day.json#ts."""
    listed = users_file(path)
    people = read_people(partial(_content, listed), notify) if listed else {}
    days = [Day(f"{source}/{day.name}", partial(_content, day)) for day in day_files(path)]
    yield from read_channel(days, source, people, notify, by_day=by_day)


def _content(path: Path) -> bytes:
    content = read_bounded(path, DAY_LIMIT)
    if content is None:
        raise IngestionError(f"larger than {DAY_LIMIT:,} bytes")
    return content


def read_people(content: Callable[[], bytes], notify: Notify) -> dict[str, str]:
    """Display names by user id."""
    try:
        people = _records(content())
    except (IngestionError, OSError) as error:
        notify(f"users.json: {error}; people are named by their ids")
        return {}
    names = {text_of(person, "id"): _person(person) for person in people}
    return {key: shown for key, shown in names.items() if key and shown}


def _person(person: Record) -> str:
    profile = record_of(person, "profile")
    shown = text_of(profile, "display_name", "real_name")
    return name(shown or text_of(person, "real_name", "name"))


def read_channel(
    days: Sequence[Day],
    channel: str,
    people: Mapping[str, str],
    notify: Notify,
    *,
    by_day: bool = False,
) -> Iterator[Thread]:
    """The threads of a channel; messages outside of threads by conversation, or by day."""
    place = Place("#" + channel.rpartition("/")[2], channel)
    builder = ThreadBuilder(by_day=by_day)
    yield from combine(builder.complete(_threads(days, place, people, notify, builder)))


def _threads(
    days: Sequence[Day],
    place: Place,
    people: Mapping[str, str],
    notify: Notify,
    builder: ThreadBuilder,
) -> Iterator[Thread]:
    ending = _endings(days)
    for number, day in enumerate(days):
        run = place._replace(run=day.name)
        for record in _messages(day, notify):
            message = _utterance(record, day.source, people)
            if message is not None:
                thread = name(text_of(record, "thread_ts"))
                if thread:
                    yield from builder.add(place._replace(thread=thread), message)
                else:
                    yield from builder.add_to_run(run, message)
        yield from builder.close(run)
        for thread in ending.get(number, ()):
            yield from builder.close(place._replace(thread=thread))


def _endings(days: Sequence[Day]) -> dict[int, list[str]]:
    """The threads that end on each day, from a first pass over the channel."""
    last: dict[bytes, int] = {}
    for number, day in enumerate(days):
        try:
            last.update(dict.fromkeys(_THREAD.findall(day.content()), number))
        except (IngestionError, OSError):
            continue  # reported when the day is read
    ending: dict[int, list[str]] = {}
    for thread, number in last.items():
        ending.setdefault(number, []).append(thread.decode())
    return ending


def _messages(day: Day, notify: Notify) -> list[Record]:
    """The messages of a day, with edits and deletions applied."""
    try:
        records = _records(day.content())
    except (IngestionError, OSError) as error:
        notify(f"{day.name}: {error}; left out")
        return []
    messages: dict[str, Record] = {}
    for record in records:
        kind = record.get("subtype")
        if kind == "message_changed":
            edited = record_of(record, "message")
            messages[text_of(edited, "ts")] = edited
        elif kind == "message_deleted":
            messages.pop(text_of(record, "deleted_ts"), None)
        elif kind not in _MEMBERSHIP:
            messages.setdefault(text_of(record, "ts"), record)
    return list(messages.values())


def _records(content: bytes) -> list[Record]:
    try:
        records = json.loads(content)
    except RecursionError:
        raise IngestionError("JSON nested too deeply") from None
    except ValueError:
        raise IngestionError("not JSON, or cut off") from None
    if not isinstance(records, list):
        raise IngestionError("not a list of records, as Slack writes")
    return [record for record in records if isinstance(record, dict)]


def _utterance(record: Record, source: str, people: Mapping[str, str]) -> Utterance | None:
    """A message as people see it; None where it has no time or no text."""
    key = name(text_of(record, "ts"))
    parts = [text_of(record, "text"), *_extras(record)]
    text = words("\n".join(plain(part, people) for part in parts if part))
    files = [text_of(file, "name", "title") for file in records_of(record, "files")]
    text = with_attachments(text, files)
    if not key or not text:
        return None
    return Utterance(key, _speaker(record, people), text, from_epoch(key), source=source)


def _extras(record: Record) -> Iterator[str]:
    """The texts of bots outside of the message's text."""
    for attachment in records_of(record, "attachments"):
        texts = [text_of(attachment, field) for field in ("pretext", "title", "text")]
        yield "\n".join(filter(None, texts)) or text_of(attachment, "fallback")
    if not text_of(record, "text"):
        for block in records_of(record, "blocks"):
            yield text_of(record_of(block, "text"), "text")


def _speaker(record: Record, people: Mapping[str, str]) -> str:
    user = text_of(record, "user")
    profile = record_of(record, "user_profile")
    shown = people.get(user) or text_of(profile, "display_name", "real_name", "name")
    bot = text_of(record, "username") or text_of(record_of(record, "bot_profile"), "name")
    return name(shown or bot or user or text_of(record, "bot_id"))


def plain(text: str, people: Mapping[str, str]) -> str:
    """Slack's markup as people see it; code keeps its backticks.

    >>> plain("<@U1> see <https://a.b|the plan> &amp; `f(x)`", {"U1": "Ada"})
    '@Ada see the plan (https://a.b) & `f(x)`'
    """
    shown = _MARKUP.sub(lambda match: _shown(match.group(1), people), text)
    return shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _shown(markup: str, people: Mapping[str, str]) -> str:
    target, _, label = markup.partition("|")
    if target.startswith("@"):
        return "@" + (people.get(target[1:]) or label or target[1:])
    if target.startswith("#"):
        return "#" + (label or target[1:])
    if target.startswith("!"):
        return label or "@" + target[1:]
    address = target.removeprefix("mailto:")
    return address if not label or label in address else f"{label} ({address})"
