"""Cues of a chat message to the one it answers: names, questions, reactions, rare words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from seminar.types import Utterance

SPEAKERS = 5_000  # names that are remembered at a time
NOBODY = -1
READ = 2_000  # characters of a message that are read

_TOKEN = re.compile(r"@?[^\s,:;!?()\"'<>@]+")
_CALLED = re.compile(r"\s*([^\s,:;!?]+)[,:;](?:\s|$)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_GREETING = re.compile(
    r"\W*(hi|hello|hey|howdy|morning|evening|good (morning|evening|day)|any(one|body|1))\b", re.I
)
_REACTION = re.compile(
    r"\W*(ok|okay|k|yes|yeah|yep|yup|no|nope|thanks|thank|thx|ty|lol|haha\w*|right|true|cool|nice|"
    r"great|sure|ah+|oh+|hm+|indeed|exactly|sorry|np|so|but|and|well|that|it|then|because|or)\b",
    re.I,
)
_COMMON = frozenset(
    "the and for you that this with have not are but was can what how there they just from your all"
    " would will has its like one when any get does out use don then had them about some which who"
    " should did more why could want know think need into only where than too also because been"
    " here were now good yes see way try something really make thing much".split()
)


class MessageCues(NamedTuple):
    """The cues of a message; people are numbers, `NOBODY` where none is named."""

    seconds: float
    speaker: int
    addressee: int
    named: int
    asks: bool
    greets: bool
    reacts: bool
    words: int
    terms: frozenset[str]


@dataclass(slots=True)
class RecentSpeakers:
    """The recent speakers of a channel, by the names that others call them."""

    limit: int = SPEAKERS
    _numbers: dict[str, int] = field(default_factory=dict)  # the last speaker comes last
    _count: int = 0

    def add(self, speaker: str) -> int:
        """Remember a speaker by the name and by its first word, and return their number."""
        name = speaker.casefold()
        number = self._numbers.get(name)
        if number is None:
            number = self._count
            self._count += 1
        for alias in {name, _first_word(name)}:
            self._numbers.pop(alias, None)
            self._numbers[alias] = number
        while len(self._numbers) > self.limit:
            del self._numbers[next(iter(self._numbers))]
        return number

    def mentioned(self, text: str) -> tuple[int, int]:
        """The speaker addressed, at the beginning or with an @, and the first speaker named."""
        known: Mapping[str, int] = self._numbers
        called = named = NOBODY
        if start := _CALLED.match(text):
            called = known.get(start.group(1).casefold().removeprefix("@"), NOBODY)
        for token in _TOKEN.findall(text):
            word = token.casefold().rstrip(".")
            if word.startswith("@"):
                called = known.get(word[1:], called) if called == NOBODY else called
            elif named == NOBODY and len(word) > 2 and word not in _COMMON:
                named = known.get(word, NOBODY)
        return called, named


def _first_word(name: str) -> str:
    first = name.partition(" ")[0]
    return first if len(first) > 2 and first not in _COMMON else name


def cues_of(message: Utterance, speakers: RecentSpeakers, seconds: float) -> MessageCues:
    """The cues of a message, whose speaker is remembered."""
    text = message.text[:READ]
    speaker = speakers.add(message.speaker)
    called, named = speakers.mentioned(text)
    return MessageCues(
        seconds,
        speaker,
        called if called != speaker else NOBODY,
        named if named != speaker else NOBODY,
        asks="?" in text,
        greets=bool(_GREETING.match(text)),
        reacts=bool(_REACTION.match(text)),
        words=text.count(" ") + 1,
        terms=frozenset(map(str.casefold, _WORD.findall(text))) - _COMMON,
    )
