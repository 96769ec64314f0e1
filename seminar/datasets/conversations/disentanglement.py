"""Channels with the conversation of each message: Slack with ids, IRC with reply links.

Slack's ids (Chatterjee et al., 2020) are a program's; IRC's links (Kummerfeld et al., 2019) are
people's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

from seminar.errors import DatasetError
from seminar.types import Utterance

_IRC = re.compile(r"\[(\d\d):(\d\d)\]\s(?:<([^>]+)>|\s?\*\s(\S+))\s?(.*)")
_MENTION = re.compile(r"<@([^>|]+)(?:\|[^>]*)?>")
_HALF_A_DAY = 12 * 3600


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's messages in order, and which conversation each belongs to.

    `links` pairs a message with one that it answers, itself where it begins a conversation; empty
    where the dataset says nothing of that. Messages before `start` are context, not scored.
    A message without a speaker is a server notice.
    """

    name: str
    messages: tuple[Utterance, ...]
    conversations: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ()
    start: int = 0


def slack(folder: Path) -> Iterator[Channel]:
    """The channels of `slack_disentangled`, named as community/year."""
    for path in sorted(folder.rglob("*.xml")):
        try:
            root = ElementTree.parse(path).getroot()
        except ElementTree.ParseError as error:
            raise DatasetError(f"{path}: not XML, or cut off ({error})") from None
        labelled = sorted(_slack_messages(root, path), key=lambda pair: pair[1].key)
        name = path.parent.relative_to(folder).as_posix()
        yield Channel(
            name, tuple(message for _, message in labelled), tuple(label for label, _ in labelled)
        )


def _slack_messages(root: ElementTree.Element, path: Path) -> Iterator[tuple[str, Utterance]]:
    for number, message in enumerate(root.iter("message"), start=1):
        key, speaker, text = (message.findtext(tag) or "" for tag in ("ts", "user", "text"))
        try:
            time = datetime.fromisoformat(key).replace(tzinfo=UTC)
        except ValueError:
            raise DatasetError(f"{path}: message {number} has no time, but {key!r}") from None
        words = _MENTION.sub(r"@\1", text).strip()
        yield message.get("conversation_id", ""), Utterance(key, speaker, words, time)


def irc(folder: Path) -> Iterator[Channel]:
    """The annotated logs of `irc_disentanglement`: the second channel, then Ubuntu's dev files."""
    yield _irc_channel(folder / "channel-two", "channel-two.all")
    for path in sorted((folder / "dev").glob("*.annotation.txt")):
        yield _irc_channel(path.parent, path.name.removesuffix(".annotation.txt"))


def _irc_channel(folder: Path, name: str) -> Channel:
    lines = (folder / f"{name}.ascii.txt").read_text("utf-8", "replace").splitlines()
    path = folder / f"{name}.annotation.txt"
    written = path.read_text("utf-8").splitlines()
    links = [_link(line, f"{path}:{number}") for number, line in enumerate(written, start=1)]
    if any(later >= len(lines) for later, _ in links):
        raise DatasetError(f"{path}: links a line that {name}.ascii.txt doesn't have")
    # Ubuntu's files begin with lines that only later ones answer; those are context.
    start = 0 if name.startswith("channel-two") else min(1000, len(lines))
    return Channel(
        name,
        tuple(_irc_messages(lines)),
        tuple(_components(len(lines), links)),
        tuple(sorted(link for link in links if link[0] >= start)),
        start,
    )


def _link(line: str, where: str) -> tuple[int, int]:
    """The later message and the earlier one."""
    numbers = line.split()[:2]
    if len(numbers) < 2 or not all(number.isdecimal() for number in numbers):
        raise DatasetError(f"{where}: expected two numbers of lines, found {line.strip()!r}")
    ends = [int(number) for number in numbers]
    return max(ends), min(ends)


def _irc_messages(lines: Sequence[str]) -> Iterator[Utterance]:
    """Messages with their clock as a time; a clock that goes back has passed noon or midnight."""
    seconds = 0
    for number, line in enumerate(lines):
        match = _IRC.match(line)
        if match:
            clock = int(match.group(1)) * 3600 + int(match.group(2)) * 60
            seconds += (clock - seconds) % _HALF_A_DAY
        speaker = (match.group(3) or match.group(4)) if match else ""
        text = match.group(5) if match else line
        time = datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)
        yield Utterance(str(number), speaker, text, time)


def _components(count: int, links: Sequence[tuple[int, int]]) -> list[str]:
    """The conversation of each message: what links connect, named by its first message."""
    first = list(range(count))

    def find(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    for later, earlier in links:
        low, high = sorted((find(later), find(earlier)))
        first[high] = low
    return [str(find(number)) for number in range(count)]
