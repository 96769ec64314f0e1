"""Features of a message and an earlier one of its channel that it may answer.

A `Window` holds only the last messages, so that a channel of any length can be streamed.
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
    MessageCues,
    RecentSpeakers,
    cues_of,
)
from seminar.types import Utterance

Floats = NDArray[np.float64]

WINDOW = 50  # messages back that may be answered: 98 of 100 IRC replies, all of Slack's
VOCABULARY = 50_000  # words that are counted; above it the rare ones are forgotten
UNTIMED = 60.0  # seconds assumed between messages without a time
RECENT = 600.0  # seconds in which at most FEW people speak where a channel is calm
FEW = 5

GAPS = np.array([60.0, 120.0, 300.0, 900.0, 3600.0, 4 * 3600.0, 24 * 3600.0])
TURNS = np.array([1.0, 2.0, 3.0, 5.0, 10.0, 20.0])
# For and against an earlier message as the one that is answered.
# The names are those of the fitted weights.
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
# For and against a new conversation.
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
    """The state of an open conversation."""

    speakers: set[int] = field(default_factory=set)
    called: set[int] = field(default_factory=set)
    size: int = 0
    last: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Window:
    """The last messages of a channel, each in its conversation; both are numbered."""

    size: int = WINDOW
    first: int = 0  # the oldest message held
    _speakers: RecentSpeakers = field(default_factory=RecentSpeakers)
    _held: deque[MessageCues] = field(default_factory=deque)
    _table: Floats = field(init=False)  # rows of the messages held, and room for more
    _end: int = 0  # of the table's rows in use
    _open: dict[int, _Conversation] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)  # each speaker's last message
    _counts: Counter[str] = field(default_factory=Counter)  # messages with a word
    _where: defaultdict[str, deque[int]] = field(default_factory=lambda: defaultdict(deque))

    def __post_init__(self) -> None:
        self._table = np.zeros((8 * self.size, _COLUMNS))

    @property
    def next(self) -> int:
        """The number of the next message."""
        return self.first + len(self._held)

    def label(self, number: int) -> int:
        """The conversation of a message that is held."""
        return int(self._table[self._end - (self.next - number), _LABEL])

    def cues_of(self, message: Utterance) -> MessageCues:
        """The cues of a message, whose speaker is remembered."""
        if message.time is None:
            seconds = self._held[-1].seconds + UNTIMED if self._held else 0.0
        else:
            time = message.time if message.time.tzinfo else message.time.replace(tzinfo=UTC)
            seconds = time.timestamp()
        return cues_of(message, self._speakers, seconds)

    def features(self, cues: MessageCues) -> Floats:
        """A row for each message held, oldest first, and a last one for a new conversation."""
        rows = np.zeros((len(self._held) + 1, len(FEATURES)))
        shared = self._shared(cues)
        if self._held:
            self._pair(cues, shared, rows[:-1])
        rows[-1, len(PAIRED) :] = self._opening(cues, shared)
        return rows

    def add(self, cues: MessageCues, label: int) -> int | None:
        """Hold a message, and return the conversation that no message can join any more, if any."""
        number = self.next
        self._keep(cues, label)
        talk = self._open.setdefault(label, _Conversation())
        talk.speakers.add(cues.speaker)
        talk.called.add(cues.addressee)
        talk.size, talk.last, talk.seconds = talk.size + 1, number, cues.seconds
        self._last[cues.speaker] = number
        for term in cues.terms:
            self._where[term].append(number)
        self._counts.update(cues.terms)
        if len(self._counts) > VOCABULARY:
            self._counts = Counter(dict(self._counts.most_common(VOCABULARY // 2)))
        return self._forget_oldest() if len(self._held) > self.size else None

    def _keep(self, cues: MessageCues, label: int) -> None:
        if self._end == len(self._table):  # move the rows in use to the front
            count = len(self._held)
            self._table[:count] = self._table[self._end - count : self._end]
            self._end = count
        self._table[self._end] = cues.seconds, cues.speaker, cues.addressee, cues.asks, label
        self._end += 1
        self._held.append(cues)

    def _forget_oldest(self) -> int | None:
        label = self.label(self.first)
        cues = self._held.popleft()
        for term in cues.terms:
            self._where[term].popleft()
            if not self._where[term]:
                del self._where[term]
        if self._last[cues.speaker] == self.first:
            del self._last[cues.speaker]
        self.first += 1
        if self._open[label].last >= self.first:
            return None
        del self._open[label]
        return label

    def _shared(self, cues: MessageCues) -> Floats:
        """The total rarity of the words that a message shares with each of those held."""
        shared = np.zeros(len(self._held))
        messages = self.next + 1
        for term in cues.terms:
            if places := self._where.get(term):
                rarity = math.log(messages / self._counts[term])
                for place in places:
                    shared[place - self.first] += rarity
        return shared

    def _pair(self, cues: MessageCues, shared: Floats, rows: Floats) -> None:
        """Fill the rows of the messages held, column after column of `PAIRED`."""
        seconds, speaker, addressee, asked, labels = self._table[
            self._end - len(self._held) : self._end
        ].T
        gap = cues.seconds - seconds
        back = np.arange(len(gap), 0, -1.0)
        own = speaker == cues.speaker
        calls = cues.addressee != NOBODY
        called = (speaker == cues.addressee) & calls
        last = self._flags(self._last.values())
        asks = (asked > 0) & ~own
        talks, places = np.unique(labels, return_inverse=True)
        about = np.array([self._about(int(label), cues) for label in talks])  # (talks, 6)
        rows[:, : len(GAPS)] = gap[:, None] > GAPS
        rows[:, len(GAPS) : len(GAPS) + len(TURNS)] = back[:, None] > TURNS
        rest = rows[:, len(GAPS) + len(TURNS) : len(PAIRED)]
        for column, content in enumerate(
            (
                own,
                own & (back == 1),
                own & (gap > 300),
                called,
                (speaker == cues.named) & (cues.named != NOBODY),
                ~called & calls,
                addressee == cues.speaker,
                (addressee != NOBODY) & (addressee != cues.speaker),
                (addressee == cues.addressee) & calls,
                last,
                last & called,
                self._flags(talk.last for talk in self._open.values()),
            )
        ):
            rest[:, column] = content
        rest[:, 12:18] = about[places]
        rest[:, 18] = asks
        rest[:, 19] = asks & cues.asks
        rest[:, 20] = ~own & cues.reacts
        rest[:, 21] = np.log1p(shared)
        rest[:, 22] = np.log1p(np.bincount(places, weights=shared)[places])

    def _flags(self, numbers: Iterable[int]) -> NDArray[np.bool_]:
        """Whether each message held is among the numbers."""
        flags = np.zeros(len(self._held), dtype=bool)
        flags[[number - self.first for number in numbers]] = True
        return flags

    def _about(self, label: int, cues: MessageCues) -> tuple[float, ...]:
        """The features of a message and a conversation."""
        talk = self._open[label]
        own = self._last.get(cues.speaker)
        return (
            cues.speaker in talk.speakers,
            own is not None and self.label(own) == label,
            cues.addressee != NOBODY and cues.addressee in talk.speakers,
            cues.speaker in talk.called,
            math.log1p(max(0.0, cues.seconds - talk.seconds) / 60),
            math.log(talk.size),
        )

    def _opening(self, cues: MessageCues, shared: Floats) -> tuple[float, ...]:
        gap = cues.seconds - self._held[-1].seconds if self._held else math.inf
        return (
            1.0,
            cues.asks,
            cues.addressee != NOBODY,
            cues.named != NOBODY,
            cues.greets,
            cues.reacts,
            cues.speaker in self._last,
            any(held.addressee == cues.speaker for held in self._held),
            math.log(cues.words),
            math.log1p(float(shared.max(initial=0.0))),
            gap > 900,
            gap > 3600,
            self._is_among_few(cues),
        )

    def _is_among_few(self, cues: MessageCues) -> bool:
        """Whether other people spoke recently, but only a few."""
        recent = {held.speaker for held in self._held if cues.seconds - held.seconds <= RECENT}
        return 1 < len(recent | {cues.speaker}) <= FEW
