"""Simple rules that split a channel into conversations, to set a model beside."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import partial

from seminar.datasets.conversations.disentanglement import Channel
from seminar.types import Utterance

GAP = 1800.0  # seconds; of 120 to 14,400 the best on racket/2018
Labels = Iterator[Hashable]


def by_rule(rule: Callable[[tuple[Utterance, ...]], Labels], channel: Channel) -> Channel:
    """The channel split by a rule; each message answers the one before it in its conversation.

    A notice of the server's, which nobody says, is by itself.
    """
    spoken = [number for number, said in enumerate(channel.messages) if said.speaker]
    conversations = [f"notice {number}" for number in range(len(channel.messages))]
    links = [(number, number) for number in range(len(channel.messages))]
    last: dict[Hashable, int] = {}
    labels = rule(tuple(channel.messages[number] for number in spoken))
    for number, label in zip(spoken, labels, strict=True):
        conversations[number] = str(label)
        links[number] = (number, last.get(label, number))
        last[label] = number
    return replace(channel, conversations=tuple(conversations), links=tuple(links))


def _together(messages: tuple[Utterance, ...]) -> Labels:
    return (0 for _ in messages)


def _alone(messages: tuple[Utterance, ...]) -> Labels:
    return iter(range(len(messages)))


def _daily(messages: tuple[Utterance, ...]) -> Labels:
    return (said.time.date() if said.time else None for said in messages)


def _by_silence(messages: tuple[Utterance, ...], gap: float = GAP) -> Labels:
    """A conversation ends where nobody says anything for a while."""
    number, before = 0, None
    for said in messages:
        if before and said.time and (said.time - before).total_seconds() > gap:
            number += 1
        before = said.time
        yield number


def _by_pair(messages: tuple[Utterance, ...]) -> Labels:
    """One for the speaker and whom he names, or else who spoke before him."""
    known: dict[str, str] = {}
    before = ""
    for said in messages:
        words = (word.strip("@,:;.!?").casefold() for word in said.text.split())
        named = next((known[word] for word in words if word in known), "")
        other = named if named and named != said.speaker else before
        yield tuple(sorted({said.speaker, other or said.speaker}))
        known[said.speaker.casefold()] = said.speaker
        before = said.speaker if said.speaker != before else before


RULES: dict[str, Callable[[Channel], Channel]] = {
    "one conversation": partial(by_rule, _together),
    "each message alone": partial(by_rule, _alone),
    "a conversation a day": partial(by_rule, _daily),
    "30 minutes of silence": partial(by_rule, _by_silence),
    "one for a pair of speakers": partial(by_rule, _by_pair),
}
