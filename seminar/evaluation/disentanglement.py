"""Channels split into conversations, scored by the literature's measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seminar.datasets.conversations.disentanglement import Channel
from seminar.ingestion.conversations.disentangling.model import Disentangler
from seminar.ingestion.conversations.disentangling.reply_features import Floats
from seminar.metrics.official.disentanglement import (
    exact_match_f1,
    link_f1,
    one_to_one,
    variation_of_information,
)


def untangle(channel: Channel, weights: Floats) -> Channel:
    """The channel as the model splits it; a server notice is a conversation of its own."""
    model = Disentangler(weights)
    spoken = [number for number, message in enumerate(channel.messages) if message.speaker]
    conversations = [str(number) for number in range(len(channel.messages))]
    links = [(number, number) for number in range(len(channel.messages))]
    for number in spoken:
        linked = model.link(channel.messages[number])
        conversations[number] = str(spoken[linked.conversation])
        links[number] = (number, spoken[linked.answers])
    return replace(channel, conversations=tuple(conversations), links=tuple(links))


def score(gold: Sequence[Channel], predicted: Sequence[Channel]) -> dict[str, float]:
    """Scores over the messages of all channels that are more than context, in percent.

    Links are scored where the dataset gives them.
    """
    gold_labels, predicted_labels = _labels(gold), _labels(predicted)
    scores = {
        "VI": variation_of_information(gold_labels, predicted_labels),
        "1-1": one_to_one(gold_labels, predicted_labels),
        "exact F1": exact_match_f1(gold_labels, predicted_labels),
    }
    if all(channel.links for channel in gold):
        scores["link F1"] = link_f1(_links(gold), _links(predicted))
    return {name: round(value, 1) for name, value in scores.items()}


def _labels(channels: Sequence[Channel]) -> list[tuple[str, str]]:
    return [
        (channel.name, label)
        for channel in channels
        for label in channel.conversations[channel.start :]
    ]


def _links(channels: Sequence[Channel]) -> list[tuple[int, int]]:
    """The links of all channels, as if one came after another."""
    links: list[tuple[int, int]] = []
    begin = 0
    for channel in channels:
        scored = (link for link in channel.links if link[0] >= channel.start)
        links += [(later + begin, earlier + begin) for later, earlier in scored]
        begin += len(channel.messages)
    return links
