"""The evidence that a message answers an earlier one of its channel, as numbers.

A `Window` holds a channel's last messages only, so that a channel of any length streams.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from seminar.ingestion.conversations.disentangling.message_cues import (
    NOBODY,
    Acquaintances,
    Marks,
    marks,
)
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
_COLUMNS, _LABEL = 5, 4  # seconds, speaker, addressee, whether it asks, conversation


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
    _table: Floats = field(init=False)  # columns of those held, with room for more; see `_COLUMNS`
    _end: int = 0  # of the table's rows in use
    _open: dict[int, _Conversation] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)  # each speaker's last message
    _counts: Counter[str] = field(default_factory=Counter)  # messages that hold a word
    _where: defaultdict[str, deque[int]] = field(default_factory=lambda: defaultdict(deque))

    def __post_init__(self) -> None:
        self._table = np.zeros((8 * self.size, _COLUMNS))

    @property
    def next(self) -> int:
        """The number that the next message gets."""
        return self.first + len(self._held)

    def label(self, number: int) -> int:
        """The conversation of a message that is held."""
        return int(self._table[self._end - (self.next - number), _LABEL])

    def look(self, said: Utterance) -> Marks:
        """A message's marks; its speaker becomes known."""
        if said.time is not None:
            time = said.time if said.time.tzinfo else said.time.replace(tzinfo=UTC)
            return marks(said, self._people, time.timestamp())
        before = self._held[-1].seconds + UNTIMED if self._held else 0.0
        return marks(said, self._people, before)

    def evidence(self, said: Marks) -> Floats:
        """A row for each message held, oldest first, and a last one for a new conversation."""
        rows = np.zeros((len(self._held) + 1, len(FEATURES)))
        shared = self._shared(said)
        if self._held:
            self._pair(said, shared, rows[:-1])
        rows[-1, len(PAIRED) :] = self._opening(said, shared)
        return rows

    def add(self, said: Marks, label: int) -> int | None:
        """Hold a message; the conversation that nothing can join any more, if one is over."""
        number = self.next
        self._keep(said, label)
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

    def _keep(self, said: Marks, label: int) -> None:
        if self._end == len(self._table):  # what is in use moves to the front
            count = len(self._held)
            self._table[:count] = self._table[self._end - count : self._end]
            self._end = count
        self._table[self._end] = said.seconds, said.speaker, said.addressee, said.asks, label
        self._end += 1
        self._held.append(said)

    def _forget_oldest(self) -> int | None:
        label = self.label(self.first)
        said = self._held.popleft()
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

    def _pair(self, said: Marks, shared: Floats, rows: Floats) -> None:
        """Fill the rows of the messages held, column after column of `PAIRED`."""
        seconds, speaker, addressee, asked, labels = self._table[
            self._end - len(self._held) : self._end
        ].T
        gap = said.seconds - seconds
        back = np.arange(len(gap), 0, -1.0)
        own = speaker == said.speaker
        calls = said.addressee != NOBODY
        called = (speaker == said.addressee) & calls
        last = self._flags(self._last.values())
        asks = (asked > 0) & ~own
        talks, places = np.unique(labels, return_inverse=True)
        about = np.array([self._about(int(label), said) for label in talks])  # (talks, 6)
        rows[:, : len(GAPS)] = gap[:, None] > GAPS
        rows[:, len(GAPS) : len(GAPS) + len(TURNS)] = back[:, None] > TURNS
        rest = rows[:, len(GAPS) + len(TURNS) : len(PAIRED)]
        for column, content in enumerate(
            (
                own,
                own & (back == 1),
                own & (gap > 300),
                called,
                (speaker == said.named) & (said.named != NOBODY),
                ~called & calls,
                addressee == said.speaker,
                (addressee != NOBODY) & (addressee != said.speaker),
                (addressee == said.addressee) & calls,
                last,
                last & called,
                self._flags(talk.last for talk in self._open.values()),
            )
        ):
            rest[:, column] = content
        rest[:, 12:18] = about[places]
        rest[:, 18] = asks
        rest[:, 19] = asks & said.asks
        rest[:, 20] = ~own & said.reacts
        rest[:, 21] = np.log1p(shared)
        rest[:, 22] = np.log1p(np.bincount(places, weights=shared)[places])

    def _flags(self, numbers: Iterable[int]) -> NDArray[np.bool_]:
        """Which of those held are among the numbers."""
        flags = np.zeros(len(self._held), dtype=bool)
        flags[[number - self.first for number in numbers]] = True
        return flags

    def _about(self, label: int, said: Marks) -> tuple[float, ...]:
        """What a conversation has to do with a message."""
        talk = self._open[label]
        own = self._last.get(said.speaker)
        return (
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
