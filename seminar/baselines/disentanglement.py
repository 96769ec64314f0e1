"""Simple rules that split a channel into conversations, to compare a model with."""

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

    A server notice, which has no speaker, is a conversation of its own.
    """
    spoken = [number for number, message in enumerate(channel.messages) if message.speaker]
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
    return (message.time.date() if message.time else None for message in messages)


def _by_silence(messages: tuple[Utterance, ...], gap: float = GAP) -> Labels:
    """A conversation ends after a silence."""
    number, before = 0, None
    for message in messages:
        if before and message.time and (message.time - before).total_seconds() > gap:
            number += 1
        before = message.time
        yield number


def _by_pair(messages: tuple[Utterance, ...]) -> Labels:
    """One for each pair of a speaker and the one they name, or else the previous speaker."""
    known: dict[str, str] = {}
    before = ""
    for message in messages:
        words = (word.strip("@,:;.!?").casefold() for word in message.text.split())
        named = next((known[word] for word in words if word in known), "")
        other = named if named and named != message.speaker else before
        yield tuple(sorted({message.speaker, other or message.speaker}))
        known[message.speaker.casefold()] = message.speaker
        before = message.speaker if message.speaker != before else before


RULES: dict[str, Callable[[Channel], Channel]] = {
    "one conversation": partial(by_rule, _together),
    "each message alone": partial(by_rule, _alone),
    "a conversation a day": partial(by_rule, _daily),
    "30 minutes of silence": partial(by_rule, _by_silence),
    "one for a pair of speakers": partial(by_rule, _by_pair),
}
