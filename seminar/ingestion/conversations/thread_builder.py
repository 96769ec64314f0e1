"""Threads while their messages come: a bounded number of messages is held.

Messages outside of threads are told apart into conversations, or make one a day.
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
THREAD_CHARACTERS = 2_000_000  # what is longer is cut there
RUN_LIMIT = 1_000  # messages outside of threads that make one conversation
CHANNEL_LIMIT = 500  # channels of which the last messages are remembered


class Place(NamedTuple):
    """Where a message belongs: a thread of a channel, or a run of those outside of threads.

    `channel` is a path; `title` is what is told of it; `run` is a day, or a conversation's number.
    """

    title: str
    channel: str
    thread: str = ""
    run: str = ""

    @property
    def path(self) -> str:
        return f"{self.channel}/{self.thread}" if self.thread else self.channel


@dataclass(slots=True)
class _Open:
    said: list[Utterance] = field(default_factory=list)
    characters: int = 0


@dataclass(slots=True)
class _Channel:
    """A channel whose messages come without threads, and the conversations that go on in it."""

    model: Disentangler = field(default_factory=lambda: Disentangler(shipped_weights()))
    talks: dict[int, Place] = field(default_factory=dict)


@dataclass(slots=True)
class Gathering:
    """Threads whose messages come mixed.

    What it holds is bounded: the thread that has waited longest is let go when it holds too much,
    and what is said in it later makes a thread of its own.
    """

    held_limit: int = HELD_LIMIT
    by_day: bool = False
    _open: dict[Place, _Open] = field(default_factory=dict)
    _runs: dict[str, Place] = field(default_factory=dict)  # the open run of each channel
    _channels: dict[str, _Channel] = field(default_factory=dict)  # the one last spoken in is last
    _messages: int = 0
    _characters: int = 0

    def add(self, place: Place, said: Utterance) -> Iterator[Thread]:
        """Take a message; threads that had to be let go come out."""
        opened = self._open.pop(place, None) or _Open()
        self._open[place] = opened  # the last of the dict is the one last spoken in
        opened.said.append(said)
        opened.characters += len(said.text)
        self._messages += 1
        self._characters += len(said.text)
        if opened.characters > THREAD_CHARACTERS:
            yield from self.close(place)
        while self._messages > self.held_limit or self._characters > HELD_CHARACTERS:
            yield from self.close(next(iter(self._open)))

    def add_to_run(self, place: Place, said: Utterance, *, answers: str = "") -> Iterator[Thread]:
        """Take a message outside of threads; conversations that are over come out.

        `answers` is the key of the message that it answers, where the export tells.
        """
        if self.by_day:
            yield from self._add_by_day(place, said)
            return
        channel = self._channels.pop(place.channel, None) or _Channel()
        self._channels[place.channel] = channel
        linked = channel.model.link(said, to=answers)
        key = said.key.replace("/", "_")
        talk = place._replace(thread=key, run=str(linked.number))  # where it begins one
        here = channel.talks.setdefault(linked.conversation, talk)
        yield from self.add(here, said)
        if self._size(here) >= RUN_LIMIT:
            yield from self.close(here)
        if linked.over is not None:
            yield from self.close(channel.talks.pop(linked.over))
        if len(self._channels) > CHANNEL_LIMIT:
            forgotten = self._channels.pop(next(iter(self._channels)))
            for talk in forgotten.talks.values():
                yield from self.close(talk)

    def _add_by_day(self, place: Place, said: Utterance) -> Iterator[Thread]:
        """The channel's run before it comes out on a new day."""
        day = place.run or (said.time.date().isoformat() if said.time else "")
        before = self._runs.get(place.channel)
        here = place._replace(run=day)
        if before is not None and (before != here or self._size(before) >= RUN_LIMIT):
            yield from self.close(before)
        self._runs[place.channel] = here
        yield from self.add(here, said)

    def close(self, place: Place) -> Iterator[Thread]:
        """A thread that is over; nothing where it was let go or never was."""
        opened = self._open.pop(place, None)
        if opened is None:
            return
        self._messages -= len(opened.said)
        self._characters -= opened.characters
        if self._runs.get(place.channel) == place:
            del self._runs[place.channel]
        yield compose(in_order(opened.said), title=place.title, channel=place.path)

    def complete(self, found: Iterator[Thread]) -> Iterator[Thread]:
        """The threads that a reader lets go, then those still held; damage is told after both."""
        damage: IngestionError | None = None
        try:
            yield from found
        except IngestionError as error:
            damage = error
        yield from self.close_all()
        if damage is not None:
            raise damage

    def close_all(self) -> Iterator[Thread]:
        """Everything that is still held, in the order in which it was last spoken in."""
        for place in list(self._open):
            yield from self.close(place)

    def _size(self, place: Place) -> int:
        opened = self._open.get(place)
        return len(opened.said) if opened else 0
