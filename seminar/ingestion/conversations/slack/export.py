"""Slack's exports, as a zip or unpacked: threads with late replies, people by name.

The unit is a channel, since no thread leaves one: its day files are read in order, and a thread is
held until the last day on which somebody replied in it.
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
from seminar.ingestion.conversations.thread_builder import Gathering, Place
from seminar.ingestion.segments import combine
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.fields import Record, record_of, records_of, text_of
from seminar.io import read_bounded
from seminar.types import Thread, Utterance

DAY_LIMIT = 50_000_000  # bytes of a day's file, or of users.json
DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
METADATA = frozenset(
    f"{kind}.json"
    for kind in "users channels groups dms mpims org_users integration_logs canvases lists"
    " file_conversations huddle_transcripts".split()
)
_COMINGS = frozenset(
    f"{place}_{act}" for place in ("channel", "group") for act in ("join", "leave", "archive")
) | {"bot_add", "bot_remove", "tombstone", "channel_unarchive", "reminder_add", "pinned_item"}
_MARKUP = re.compile(r"<([^<>]{1,4000})>")
_THREAD = re.compile(rb'"thread_ts"\s*:\s*"([\d.]{1,40})"')


@dataclass(frozen=True, slots=True)
class Day:
    """A day's file of a channel: the name by which it is cited, and how to get its bytes."""

    source: str
    content: Callable[[], bytes]

    @property
    def name(self) -> str:
        return self.source.rpartition("/")[2]


def is_channel(folder: Path) -> bool:
    """Whether a folder holds day files."""
    return next(iter(day_files(folder)), None) is not None


def day_files(folder: Path) -> list[Path]:
    """The day files of a channel's folder, oldest first; links are none."""
    return sorted(
        path for path in folder.glob("*.json") if DAY.fullmatch(path.name) and not path.is_symlink()
    )


def users_file(folder: Path) -> Path | None:
    """The list of people that lies beside a channel's folder."""
    path = folder.parent / "users.json"
    return path if path.is_file() and not path.is_symlink() else None


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
    """Names by user id, as people chose to be shown."""
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
    gathering = Gathering(by_day=by_day)
    yield from combine(gathering.complete(_threads(days, place, people, notify, gathering)))


def _threads(
    days: Sequence[Day],
    place: Place,
    people: Mapping[str, str],
    notify: Notify,
    gathering: Gathering,
) -> Iterator[Thread]:
    ending = _endings(days)
    for number, day in enumerate(days):
        run = place._replace(run=day.name)
        for record in _messages(day, notify):
            said = _utterance(record, day.source, people)
            if said is not None:
                thread = name(text_of(record, "thread_ts"))
                if thread:
                    yield from gathering.add(place._replace(thread=thread), said)
                else:
                    yield from gathering.add_to_run(run, said)
        yield from gathering.close(run)
        for thread in ending.get(number, ()):
            yield from gathering.close(place._replace(thread=thread))


def _endings(days: Sequence[Day]) -> dict[int, list[str]]:
    """Which threads end on which day, by a first look at all of the channel."""
    last: dict[bytes, int] = {}
    for number, day in enumerate(days):
        try:
            last.update(dict.fromkeys(_THREAD.findall(day.content()), number))
        except (IngestionError, OSError):
            continue  # told when it is read
    ending: dict[int, list[str]] = {}
    for thread, number in last.items():
        ending.setdefault(number, []).append(thread.decode())
    return ending


def _messages(day: Day, notify: Notify) -> list[Record]:
    """A day's messages with later edits and deletions carried out."""
    try:
        records = _records(day.content())
    except (IngestionError, OSError) as error:
        notify(f"{day.name}: {error}; left out")
        return []
    kept: dict[str, Record] = {}
    for record in records:
        kind = record.get("subtype")
        if kind == "message_changed":
            edited = record_of(record, "message")
            kept[text_of(edited, "ts")] = edited
        elif kind == "message_deleted":
            kept.pop(text_of(record, "deleted_ts"), None)
        elif kind not in _COMINGS:
            kept.setdefault(text_of(record, "ts"), record)
    return list(kept.values())


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
    """A message in people's words; None where it has no time or says nothing."""
    key = name(text_of(record, "ts"))
    parts = [text_of(record, "text"), *_extras(record)]
    text = words("\n".join(plain(part, people) for part in parts if part))
    files = [text_of(file, "name", "title") for file in records_of(record, "files")]
    text = with_attachments(text, files)
    if not key or not text:
        return None
    return Utterance(key, _speaker(record, people), text, from_epoch(key), source=source)


def _extras(record: Record) -> Iterator[str]:
    """What bots say outside of the message's text."""
    for attachment in records_of(record, "attachments"):
        said = [text_of(attachment, field) for field in ("pretext", "title", "text")]
        yield "\n".join(filter(None, said)) or text_of(attachment, "fallback")
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
    """Slack's markup as people see it; code keeps the backticks that mark it.

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
