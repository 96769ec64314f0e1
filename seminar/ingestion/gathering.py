"""Threads while their messages come: a bounded number of them is held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from seminar.ingestion.conversations import compose, in_order
from seminar.types import Thread, Utterance

HELD_LIMIT = 100_000  # messages of unfinished threads
HELD_CHARACTERS = 50_000_000
RUN_LIMIT = 1_000  # messages outside of threads that make one conversation
RUN = "run "  # begins the name of messages that belong to no thread; no thread's name has a space


@dataclass(slots=True)
class _Open:
    said: list[Utterance] = field(default_factory=list)
    characters: int = 0


@dataclass(slots=True)
class Gathering:
    """Threads of one channel while their messages come, in whatever order they are mixed.

    What it holds is bounded: the thread that has waited longest is let go when it holds too much,
    and what is said in it later makes a thread of its own.
    """

    title: str
    channel: str
    held_limit: int = HELD_LIMIT
    _threads: dict[str, _Open] = field(default_factory=dict)
    _messages: int = 0
    _characters: int = 0

    def add(self, thread: str, said: Utterance) -> Iterator[Thread]:
        """Take a message of a thread, known by a name; threads that had to be let go come out."""
        opened = self._threads.pop(thread, None) or _Open()
        self._threads[thread] = opened  # the last of the dict is the one last spoken in
        opened.said.append(said)
        opened.characters += len(said.text)
        self._messages += 1
        self._characters += len(said.text)
        while self._messages > self.held_limit or self._characters > HELD_CHARACTERS:
            yield from self.close(next(iter(self._threads)))

    def size(self, thread: str) -> int:
        """How many messages of a thread are held."""
        return len(self._threads[thread].said) if thread in self._threads else 0

    def close(self, thread: str) -> Iterator[Thread]:
        """A thread that is over; nothing where it was let go or never was."""
        opened = self._threads.pop(thread, None)
        if opened is None:
            return
        self._messages -= len(opened.said)
        self._characters -= opened.characters
        place = f"{self.channel}/{thread}" if not thread.startswith(RUN) else self.channel
        yield compose(in_order(opened.said), title=self.title, channel=place)

    def close_all(self) -> Iterator[Thread]:
        """Everything that is still held, in the order in which it was last spoken in."""
        for thread in list(self._threads):
            yield from self.close(thread)


class Runs:
    """Messages that belong to no thread, gathered by day and at most a thousand together."""

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._name = ""

    def add(self, said: Utterance) -> Iterator[Thread]:
        """Take a message; the run before it comes out where a new one begins."""
        day = RUN + (said.time.date().isoformat() if said.time else "")
        if self._name and (day != self._name or self._gathering.size(self._name) >= RUN_LIMIT):
            yield from self._gathering.close(self._name)
        self._name = day
        yield from self._gathering.add(day, said)
