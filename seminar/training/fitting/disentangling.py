"""Fit a disentangler: python -m seminar.training.fitting.disentangling --train irc --out FOLDER

For each message the model chooses the earlier message that it answers, or a new conversation; the
likelihood of all right choices together is maximised, since a dataset may allow several. IRC is far
busier than the channels of a workplace, so its channel is also used slowed down, and with only some
of its conversations.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.datasets.catalog import channels
from seminar.datasets.conversations.disentanglement import Channel
from seminar.ingestion.conversations.disentangling.reply_features import FEATURES, Floats, Window
from seminar.training.fitting.trials import write_fit

# The data that weights may be fitted on; of Slack's messages every third is enough.
TRAINED_ON = {"irc": 1, "slack": 3}
# Share of the conversations and how much slower, of each copy of IRC; chosen on racket/2018.
COPIES = ((1.0, 1), (1.0, 10), (0.5, 10), (0.3, 30), (0.3, 10))
# IRC is never calm, so that this weight can't be fitted on it; chosen on racket/2018.
AMONG_FEW = ("opens among few", -2.0)
STEPS = 400
RATE = 0.05


def thinned(channel: Channel, share: float, chance: random.Random) -> Channel:
    """A channel with a share of its conversations."""
    names = sorted(set(channel.conversations))
    chosen = {name for name in names if chance.random() < share}
    numbers = [number for number, name in enumerate(channel.conversations) if name in chosen]
    place = {number: new for new, number in enumerate(numbers)}
    return replace(
        channel,
        messages=tuple(channel.messages[number] for number in numbers),
        conversations=tuple(channel.conversations[number] for number in numbers),
        links=tuple((place[a], place[b]) for a, b in channel.links if a in place),
    )


def slowed(channel: Channel, factor: int) -> Channel:
    """A channel whose messages are `factor` times as far apart."""
    begin = next(message.time for message in channel.messages if message.time)
    times = ((message, message.time or begin) for message in channel.messages)
    later = tuple(replace(message, time=begin + (time - begin) * factor) for message, time in times)
    return replace(channel, messages=later)


@dataclass(frozen=True, slots=True)
class Choices:
    """Feature rows of the choices of many messages; `begins` is where each message's rows begin."""

    rows: NDArray[np.float32]  # (rows, features)
    right: NDArray[np.bool_]  # (rows,)
    begins: NDArray[np.int64]  # (messages,)


def choices(sample: Iterable[Channel], *, every: int = 1) -> Choices:
    """The choices of each message, or of every Nth, given the gold conversations before it."""
    pairs = [
        choice
        for channel in sample
        for number, choice in enumerate(_walk(channel))
        if number % every == 0
    ]
    begins = np.cumsum([0, *(len(rows) for rows, _ in pairs)])[:-1]
    rows, right = zip(*pairs, strict=True)
    return Choices(np.concatenate(rows).astype(np.float32), np.concatenate(right), begins)


def _walk(channel: Channel) -> Iterator[tuple[Floats, NDArray[np.bool_]]]:
    """Each message's features and which choices are right: what it answers, or its conversation."""
    spoken = [number for number, message in enumerate(channel.messages) if message.speaker]
    labels = {name: number for number, name in enumerate(dict.fromkeys(channel.conversations))}
    answered: dict[int, set[int]] = {}
    for later, earlier in channel.links:
        answered.setdefault(later, set()).add(earlier)
    window = Window()
    for number in spoken:
        cues = window.cues_of(channel.messages[number])
        held = [spoken[one] for one in range(window.first, window.next)]
        label = channel.conversations[number]
        if channel.links:
            right = [one in answered.get(number, ()) for one in held]
        else:
            right = [channel.conversations[one] == label for one in held]
        yield window.features(cues), np.array([*right, not any(right)])
        window.add(cues, labels[label])


def fit(sample: Choices, *, ridge: float = 1.0) -> Floats:
    """Weights of greatest likelihood of a right choice, by Adam over the whole sample.

    Where several choices are right the likelihood is not concave, so Newton's method of
    `seminar.logistic` may not converge.
    """
    weights = np.zeros(len(FEATURES))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    messages = len(sample.begins)
    for step in range(1, STEPS + 1):
        gradient = _gradient(sample, weights) + ridge * weights / messages
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        unbiased = mean / (1 - 0.9**step), square / (1 - 0.99**step)
        rate = RATE * (1 - step / (STEPS + 1))
        weights -= rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return weights


def _gradient(sample: Choices, weights: Floats) -> Floats:
    """Of the mean of -log(sum of the right choices' probabilities)."""
    scores = sample.rows @ weights.astype(np.float32)
    predicted = _softmax(scores, sample.begins)
    right = _softmax(np.where(sample.right, scores, -np.inf), sample.begins)
    return np.asarray((predicted - right) @ sample.rows / len(sample.begins), dtype=np.float64)


def _softmax(scores: NDArray[np.float32], begins: NDArray[np.int64]) -> NDArray[np.float32]:
    sizes = np.diff([*begins, len(scores)])
    best = np.maximum.reduceat(scores, begins)
    raised = np.exp(scores - np.repeat(best, sizes))
    return raised / np.repeat(np.add.reduceat(raised, begins), sizes)


def training_channels(name: str, *, seed: int = 1) -> list[Channel]:
    """The channels that weights of this name are fitted on."""
    if name == "slack":
        return [one for one in channels("slack_disentangled") if one.name.startswith("racket/")]
    [channel] = [one for one in channels("irc_disentanglement") if one.name == "channel-two.all"]
    chance = random.Random(seed)
    return [slowed(thinned(channel, share, chance), factor) for share, factor in COPIES]


def train(name: str) -> Floats:
    """The weights that are fitted on one of `TRAINED_ON`."""
    sample = choices(training_channels(name), every=TRAINED_ON[name])
    if name == "slack":
        return fit(sample).round(4)
    feature, weight = AMONG_FEW
    sample.rows[:, FEATURES.index(feature)] = 0
    weights = fit(sample).round(4)
    weights[FEATURES.index(feature)] = weight
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", choices=list(TRAINED_ON), required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    named = dict(zip(FEATURES, train(options.train).tolist(), strict=True))
    write_fit(options.out, named)


if __name__ == "__main__":
    main()
