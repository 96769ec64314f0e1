"""Written documents as files: Markdown, a Slack export, mailboxes, subtitles."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from mailbox import mbox
from pathlib import Path

from seminar.datasets.dialogues.written import WrittenDocument, WrittenSet
from seminar.errors import DatasetError

_UTTERANCE = re.compile(r"\[(?P<time>[^\]]*)\] (?P<speaker>[^:]+): (?P<text>.*)")
_SENDER = re.compile(r"From: (?P<speaker>.+), (?P<time>\d{4}-\d\d-\d\d \d\d:\d\d)")
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d\d)$")
_FIRST_DAY = datetime(2024, 3, 4, tzinfo=UTC)  # of chats that give the time of day alone


@dataclass(frozen=True, slots=True)
class _Message:
    speaker: str
    time: str
    text: str


def write_files(group: WrittenSet, folder: Path) -> dict[str, str]:
    """Write every document of a set into a folder; the prefix of each one's sources, by id.

    A page becomes Markdown, mail a mailbox, a transcript subtitles, all chats one Slack export.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sources = {}
    for document in group.documents:
        if document.kind in WRITERS:
            suffix, write = WRITERS[document.kind]
            # Some formats have no title but the file's name.
            path = folder / f"{_slug(document.title)}-{document.id}{suffix}"
            write(path, document)
            sources[document.id] = path.name
    chats = [document for document in group.documents if document.kind == "chat"]
    if chats:
        sources |= _write_slack(folder / "slack", chats)
    return sources


def _write_markdown(path: Path, document: WrittenDocument) -> None:
    path.write_text(markdown(document), encoding="utf-8")


def _write_subtitles(path: Path, document: WrittenDocument) -> None:
    path.write_text(subtitles(document), encoding="utf-8")


def _slug(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "untitled"


def markdown(document: WrittenDocument) -> str:
    """A page as Markdown: a line is a paragraph, an item of a list or a row of a table."""
    parts = [f"# {document.title}"]
    before = ""
    for line in document.text.splitlines():
        kind = _block(line)
        # Rows of one table and items of one list follow each other without a blank line.
        parts.append("" if kind == before != "paragraph" else "\n")
        if kind == "table":
            parts.append(f"| {line} |")
            if before != "table":
                parts.append("|" + " --- |" * (line.count(" | ") + 1))
        else:
            parts.append(line)
        before = kind
    return "\n".join(part for part in parts if part) + "\n"


def _block(line: str) -> str:
    if " | " in line:
        return "table"
    return "list" if line.startswith("- ") else "paragraph"


def subtitles(document: WrittenDocument) -> str:
    """A transcript as WebVTT; a cue lasts until the next begins."""
    messages = list(_utterances(document))
    starts: list[float] = []
    for message in messages:
        begun = starts[-1] + 1 if starts else 0.0
        starts.append(max(begun, _seconds(message.time)))
    ends = [*starts[1:], starts[-1] + 10]
    cues = [
        f"{_stamp(start)} --> {_stamp(end)}\n<v {message.speaker}>{_escaped(message.text)}</v>\n"
        for message, start, end in zip(messages, starts, ends, strict=True)
    ]
    return "\n".join([f"WEBVTT - {document.title}\n", *cues])


def _utterances(document: WrittenDocument) -> Iterator[_Message]:
    for line in document.text.splitlines():
        match = _UTTERANCE.match(line)
        if match is None:
            raise DatasetError(f"{document.title}: expected '[time] speaker: text', found {line!r}")
        yield _Message(match["speaker"], match["time"], match["text"])


def _seconds(time: str) -> float:
    """The time of a transcript's line, which may have a day before it."""
    match = _CLOCK.search(time)
    if match is None:
        return 0.0
    hours, minutes, seconds = match.groups(default="0")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def _stamp(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}.000"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _write_mailbox(path: Path, document: WrittenDocument) -> None:
    path.unlink(missing_ok=True)
    box = mbox(path)
    first = ""
    for number, message in enumerate(_mails(document)):
        mail = EmailMessage()
        name = f"<{number}.{document.id}@example.org>"
        mail["Message-ID"] = name
        mail["From"] = f"{message.speaker} <{_address(message.speaker)}>"
        mail["Date"] = format_datetime(_moment(message.time))
        mail["Subject"] = f"Re: {document.title}" if first else document.title
        if first:
            mail["In-Reply-To"] = mail["References"] = first
        mail.set_content(message.text, cte="8bit")
        box.add(mail)
        first = first or name
    box.close()


def _mails(document: WrittenDocument) -> Iterator[_Message]:
    sender, lines = None, list[str]()
    for line in document.text.splitlines():
        match = _SENDER.fullmatch(line)
        if match is None:
            lines.append(line)
            continue
        if sender:
            yield _Message(sender["speaker"], sender["time"], "\n".join(lines))
        sender, lines = match, []
    if sender:
        yield _Message(sender["speaker"], sender["time"], "\n".join(lines))


def _address(speaker: str) -> str:
    return f"{re.sub(r'[^a-z]+', '.', speaker.lower()).strip('.') or 'nobody'}@example.org"


def _moment(time: str) -> datetime:
    if _CLOCK.fullmatch(time):
        hours, minutes = map(int, time.split(":")[:2])
        return _FIRST_DAY + timedelta(hours=hours, minutes=minutes)
    return datetime.strptime(time, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)


def _write_slack(folder: Path, chats: Iterable[WrittenDocument]) -> dict[str, str]:
    """A Slack export: one folder a channel, one file a day, and the lists of users and channels."""
    users: dict[str, str] = {}
    sources, channels = {}, []
    for document in chats:
        channel = _slug(document.title)
        if channel in channels:
            channel = f"{channel}-{document.id}"
        channels.append(channel)
        for day, posts in _posts_by_day(document, users).items():
            _write_json(folder / channel / f"{day}.json", posts)
        sources[document.id] = f"{folder.name}/{channel}/"
    people = [{"id": user, "name": name, "real_name": name} for name, user in users.items()]
    _write_json(folder / "users.json", people)
    named = [{"id": f"C{at:04}", "name": name} for at, name in enumerate(channels)]
    _write_json(folder / "channels.json", named)
    return sources


def _posts_by_day(
    document: WrittenDocument, users: dict[str, str]
) -> dict[str, list[dict[str, str]]]:
    """The posts of a channel's files; speakers without an id are added to the users."""
    days: dict[str, list[dict[str, str]]] = {}
    for number, message in enumerate(_utterances(document)):
        moment = _moment(message.time)
        post = {
            "type": "message",
            "user": users.setdefault(message.speaker, f"U{len(users):04}"),
            "text": _escaped(message.text),
            "ts": f"{moment.timestamp():.0f}.{number:06}",
        }
        days.setdefault(f"{moment:%Y-%m-%d}", []).append(post)
    return days


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


WRITERS: dict[str, tuple[str, Callable[[Path, WrittenDocument], None]]] = {
    "page": (".md", _write_markdown),
    "transcript": (".vtt", _write_subtitles),
    "mail": (".mbox", _write_mailbox),
}
