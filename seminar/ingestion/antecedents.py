"""The evidence that a message answers an earlier one of its channel, as numbers.

A `Window` holds a channel's last messages only, so that a channel of any length streams.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seminar.ingestion.marks import NOBODY, Acquaintances, Marks, marks
from seminar.types import Utterance

Floats = NDArray[np.float64]

WINDOW = 50  # messages back that may be answered: 98 of 100 IRC replies, all of Slack's
VOCABULARY = 50_000  # words that are counted; rare ones are forgotten when there are more
UNTIMED = 60.0  # seconds between messages that tell no time
LATE = 600.0  # seconds in which at most so many people speak where a channel is calm
FEW = 5

GAPS = np.array([60.0, 120.0, 300.0, 900.0, 3600.0, 4 * 3600.0, 24 * 3600.0])
TURNS = np.array([1.0, 2.0, 3.0, 5.0, 10.0, 20.0])
# What speaks for and against an earlier message as the one that is answered.
PAIRED = (
    *(f"gap above {gap:g} s" for gap in GAPS),
    *(f"more than {turns:g} back" for turns in TURNS),
    "same speaker",
    "same speaker, next to it",
    "same speaker, gap above 300 s",
    "its speaker is called",
    "its speaker is named",
    "another is called",
    "it calls the speaker",
    "it calls another",
    "both call the same",
    "last of its speaker",
    "last of its speaker, who is called",
    "last of its conversation",
    "its conversation has the speaker",
    "its conversation was the speaker's last",
    "its conversation has who is called",
    "its conversation has one who called the speaker",
    "silence of its conversation, log minutes",
    "size of its conversation, log",
    "another's question",
    "another's question, after a question",
    "reaction to another",
    "shared words",
    "shared words with its conversation",
)
# What speaks for and against a new conversation.
OPENING = (
    "opens",
    "opens asking",
    "opens calling",
    "opens naming",
    "opens greeting",
    "opens reacting",
    "opens, having spoken",
    "opens, having been called",
    "opens, log words",
    "opens with words shared",
    "opens, gap above 900 s",
    "opens, gap above 3600 s",
    "opens among few",
)
FEATURES = PAIRED + OPENING


@dataclass(slots=True)
class _Conversation:
    """What is remembered of an open conversation."""

    speakers: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    size: int = 0
    last: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Window:
    """The last messages of a channel, each in its conversation; both are known by numbers."""

    size: int = WINDOW
    first: int = 0  # the oldest message that is held
    _people: Acquaintances = field(default_factory=Acquaintances)
    _held: deque[Marks] = field(default_factory=deque)
    _labels: deque[int] = field(default_factory=deque)  # the conversations of those held
    _open: dict[int, _Conversation] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)  # each speaker's last message
    _counts: Counter[str] = field(default_factory=Counter)  # messages that hold a word
    _where: defaultdict[str, deque[int]] = field(default_factory=lambda: defaultdict(deque))

    @property
    def next(self) -> int:
        """The number that the next message gets."""
        return self.first + len(self._held)

    def label(self, number: int) -> int:
        """The conversation of a message that is held."""
        return self._labels[number - self.first]

    def look(self, said: Utterance) -> Marks:
        """A message's marks; its speaker becomes known."""
        if said.time is not None:
            return marks(said, self._people, said.time.timestamp())
        before = self._held[-1].seconds + UNTIMED if self._held else 0.0
        return marks(said, self._people, before)

    def evidence(self, said: Marks) -> Floats:
        """A row for each message held, oldest first, and a last one for a new conversation."""
        rows = np.zeros((len(self._held) + 1, len(FEATURES)))
        shared = self._shared(said)
        if self._held:
            rows[:-1, : len(PAIRED)] = self._paired(said, shared)
        rows[-1, len(PAIRED) :] = self._opening(said, shared)
        return rows

    def add(self, said: Marks, label: int) -> int | None:
        """Hold a message; the conversation that nothing can join any more, if one is over."""
        number = self.next
        self._held.append(said)
        self._labels.append(label)
        talk = self._open.setdefault(label, _Conversation())
        talk.speakers.add(said.speaker)
        talk.called.add(said.addressee)
        talk.size, talk.last, talk.seconds = talk.size + 1, number, said.seconds
        self._last[said.speaker] = number
        for term in said.terms:
            self._where[term].append(number)
        self._counts.update(said.terms)
        if len(self._counts) > VOCABULARY:
            self._counts = Counter(dict(self._counts.most_common(VOCABULARY // 2)))
        return self._forget_oldest() if len(self._held) > self.size else None

    def _forget_oldest(self) -> int | None:
        said, label = self._held.popleft(), self._labels.popleft()
        for term in said.terms:
            self._where[term].popleft()
            if not self._where[term]:
                del self._where[term]
        if self._last[said.speaker] == self.first:
            del self._last[said.speaker]
        self.first += 1
        if self._open[label].last >= self.first:
            return None
        del self._open[label]
        return label

    def _shared(self, said: Marks) -> Floats:
        """How rare the words are that a message shares with each of those held."""
        shared = np.zeros(len(self._held))
        heard = self.next + 1
        for term in said.terms:
            if places := self._where.get(term):
                rarity = math.log(heard / self._counts[term])
                for place in places:
                    shared[place - self.first] += rarity
        return shared

    def _paired(self, said: Marks, shared: Floats) -> Floats:
        held, labels = self._held, list(self._labels)
        count = len(held)
        gap = said.seconds - np.array([one.seconds for one in held])
        back = np.arange(count, 0, -1.0)
        speaker = np.array([one.speaker for one in held])
        addressee = np.array([one.addressee for one in held])
        asks = np.array([one.asks for one in held])
        own = speaker == said.speaker
        calls, called = said.addressee != NOBODY, speaker == said.addressee
        numbers = range(self.first, self.next)
        of_speaker = np.array(
            [
                self._last.get(one.speaker) == number
                for one, number in zip(held, numbers, strict=True)
            ]
        )
        talks = {label: self._about(label, said) for label in set(labels)}
        about = np.array([talks[label] for label in labels])  # (held, 6)
        last = np.array(
            [talk_last == number for talk_last, number in zip(about[:, 0], numbers, strict=True)]
        )
        together = _together(shared, labels)
        columns = (
            own,
            own & (back == 1),
            own & (gap > 300),
            called & calls,
            (speaker == said.named) & (said.named != NOBODY),
            calls & ~called,
            addressee == said.speaker,
            (addressee != NOBODY) & (addressee != said.speaker),
            calls & (addressee == said.addressee),
            of_speaker,
            of_speaker & called & calls,
            last,
            *about[:, 1:].T,
            asks & ~own,
            asks & ~own & said.asks,
            said.reacts & ~own,
            np.log1p(shared),
            np.log1p(together),
        )
        return np.column_stack(
            [
                gap[:, None] > GAPS,
                back[:, None] > TURNS,
                *(np.asarray(one, float) for one in columns),
            ]
        )

    def _about(self, label: int, said: Marks) -> tuple[float, ...]:
        """Its last message, and what its conversation has to do with a message."""
        talk = self._open[label]
        own = self._last.get(said.speaker)
        return (
            talk.last,
            said.speaker in talk.speakers,
            own is not None and self.label(own) == label,
            said.addressee != NOBODY and said.addressee in talk.speakers,
            said.speaker in talk.called,
            math.log1p(max(0.0, said.seconds - talk.seconds) / 60),
            math.log(talk.size),
        )

    def _opening(self, said: Marks, shared: Floats) -> tuple[float, ...]:
        gap = said.seconds - self._held[-1].seconds if self._held else math.inf
        return (
            1.0,
            said.asks,
            said.addressee != NOBODY,
            said.named != NOBODY,
            said.greets,
            said.reacts,
            said.speaker in self._last,
            any(one.addressee == said.speaker for one in self._held),
            math.log(said.words),
            math.log1p(float(shared.max(initial=0.0))),
            gap > 900,
            gap > 3600,
            self._is_among_few(said),
        )

    def _is_among_few(self, said: Marks) -> bool:
        """Whether somebody else spoke of late, but only a few people did."""
        late = {one.speaker for one in self._held if said.seconds - one.seconds <= LATE}
        return 1 < len(late | {said.speaker}) <= FEW


def _together(shared: Floats, labels: list[int]) -> Floats:
    """The sum of what a message shares with each one's conversation."""
    numbers, places = np.unique(labels, return_inverse=True)
    sums = np.bincount(places, weights=shared, minlength=len(numbers))
    return np.asarray(sums[places], dtype=np.float64)
