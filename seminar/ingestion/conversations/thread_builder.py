"""Building threads from messages that arrive mixed, while holding a bounded number of them.

Messages outside of threads are split into conversations, or make one a day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from seminar.errors import IngestionError
from seminar.ingestion.conversations.disentangling.model import Disentangler, shipped_weights
from seminar.ingestion.conversations.messages import compose, in_order
from seminar.types import Thread, Utterance

HELD_LIMIT = 100_000  # messages of unfinished threads
HELD_CHARACTERS = 50_000_000
THREAD_CHARACTERS = 2_000_000  # at which longer threads are cut
RUN_LIMIT = 1_000  # messages outside of threads that make one conversation
CHANNEL_LIMIT = 500  # channels of which the last messages are remembered


class Place(NamedTuple):
    """Where a message belongs: a thread of a channel, or a run of messages outside of threads.

    `channel` is a path, `title` its name for people, `run` a day or a conversation's number.
    """

    title: str
    channel: str
    thread: str = ""
    run: str = ""

    @property
    def path(self) -> str:
        return f"{self.channel}/{self.thread}" if self.thread else self.channel


@dataclass(slots=True)
class _OpenThread:
    messages: list[Utterance] = field(default_factory=list)
    characters: int = 0


@dataclass(slots=True)
class _Channel:
    """A channel whose messages come without threads, and its open conversations."""

    model: Disentangler = field(default_factory=lambda: Disentangler(shipped_weights()))
    talks: dict[int, Place] = field(default_factory=dict)


@dataclass(slots=True)
class ThreadBuilder:
    """Builds threads whose messages arrive mixed.

    Its memory is bounded: at the limit it releases the thread that has waited longest, and later
    messages of that thread make a new one.
    """

    held_limit: int = HELD_LIMIT
    by_day: bool = False
    _open: dict[Place, _OpenThread] = field(default_factory=dict)
    _runs: dict[str, Place] = field(default_factory=dict)  # the open run of each channel
    _channels: dict[str, _Channel] = field(default_factory=dict)  # the most recent one is last
    _messages: int = 0
    _characters: int = 0

    def add(self, place: Place, message: Utterance) -> Iterator[Thread]:
        """Add a message to its thread, and yield the threads that had to be released."""
        opened = self._open.pop(place, None) or _OpenThread()
        self._open[place] = opened  # the last of the dict is the most recent one
        opened.messages.append(message)
        opened.characters += len(message.text)
        self._messages += 1
        self._characters += len(message.text)
        if opened.characters > THREAD_CHARACTERS:
            yield from self.close(place)
        while self._messages > self.held_limit or self._characters > HELD_CHARACTERS:
            yield from self.close(next(iter(self._open)))

    def add_to_run(
        self, place: Place, message: Utterance, *, answers: str = ""
    ) -> Iterator[Thread]:
        """Add a message outside of threads, and yield the conversations that are over.

        `answers` is the key of the message that it answers, where the export gives one.
        """
        if self.by_day:
            yield from self._add_by_day(place, message)
            return
        channel = self._channels.pop(place.channel, None) or _Channel()
        self._channels[place.channel] = channel
        linked = channel.model.link(message, to=answers)
        key = message.key.replace("/", "_")
        talk = place._replace(thread=key, run=str(linked.number))  # if it begins one
        here = channel.talks.setdefault(linked.conversation, talk)
        yield from self.add(here, message)
        if self._size(here) >= RUN_LIMIT:
            yield from self.close(here)
        if linked.over is not None:
            yield from self.close(channel.talks.pop(linked.over))
        if len(self._channels) > CHANNEL_LIMIT:
            forgotten = self._channels.pop(next(iter(self._channels)))
            for talk in forgotten.talks.values():
                yield from self.close(talk)

    def _add_by_day(self, place: Place, message: Utterance) -> Iterator[Thread]:
        """Add a message to its day, and yield the channel's last day when it is over."""
        day = place.run or (message.time.date().isoformat() if message.time else "")
        before = self._runs.get(place.channel)
        here = place._replace(run=day)
        if before is not None and (before != here or self._size(before) >= RUN_LIMIT):
            yield from self.close(before)
        self._runs[place.channel] = here
        yield from self.add(here, message)

    def close(self, place: Place) -> Iterator[Thread]:
        """Yield a thread that is over, unless it was released before or never existed."""
        opened = self._open.pop(place, None)
        if opened is None:
            return
        self._messages -= len(opened.messages)
        self._characters -= opened.characters
        if self._runs.get(place.channel) == place:
            del self._runs[place.channel]
        yield compose(in_order(opened.messages), title=place.title, channel=place.path)

    def complete(self, threads: Iterator[Thread]) -> Iterator[Thread]:
        """Yield a reader's threads, then those still held; an error is raised after both."""
        damage: IngestionError | None = None
        try:
            yield from threads
        except IngestionError as error:
            damage = error
        yield from self.close_all()
        if damage is not None:
            raise damage

    def close_all(self) -> Iterator[Thread]:
        """Yield the threads still held, the most recent one last."""
        for place in list(self._open):
            yield from self.close(place)

    def _size(self, place: Place) -> int:
        opened = self._open.get(place)
        return len(opened.messages) if opened else 0
