"""Fit what tells conversations apart: python -m seminar.training.threads --train irc --out FOLDER

For each message the model chooses the earlier message that it answers, or a new conversation; the
likelihood of all right choices together is raised, since a dataset may allow several. A second
round looks at channels as the first round's weights would have split them, so that the model
learns to go on after its own mistakes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.datasets.catalog import channels
from seminar.datasets.disentanglement import Channel
from seminar.ingestion.antecedents import FEATURES, Floats, Window
from seminar.ingestion.threads import Disentangler
from seminar.io import write_atomic
from seminar.metrics.disentanglement import (
    exact_match_f1,
    link_f1,
    one_to_one,
    variation_of_information,
)

TRAINED_ON: dict[str, tuple[str, tuple[str, ...]]] = {
    "irc": ("irc_disentanglement", ("channel-two.all",)),
    "slack": ("slack_disentangled", ("racket/2017", "racket/2018", "racket/2019")),
}
STEPS = 400
RATE = 0.05
Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Split:
    """What a channel was split into: each message's conversation, and what each one answers."""

    conversations: tuple[str, ...]
    links: tuple[Link, ...]


def untangle(channel: Channel, weights: Floats) -> Split:
    """A channel split by the model; a notice of the server's is by itself."""
    model = Disentangler(weights)
    spoken = [number for number, said in enumerate(channel.messages) if said.speaker]
    conversations = [str(number) for number in range(len(channel.messages))]
    links = [(number, number) for number in range(len(channel.messages))]
    for number in spoken:
        linked = model.link(channel.messages[number])
        conversations[number] = str(spoken[linked.conversation])
        links[number] = (number, spoken[linked.answers])
    return Split(tuple(conversations), tuple(links))


def score(channel: Channel, split: Split) -> dict[str, float]:
    """The literature's measures over the messages that are scored; in percent."""
    gold = channel.conversations[channel.start :]
    found = split.conversations[channel.start :]
    scores = {
        "VI": variation_of_information(gold, found),
        "1-1": one_to_one(gold, found),
        "exact F1": exact_match_f1(gold, found),
    }
    if channel.links:
        links = [link for link in split.links if link[0] >= channel.start]
        scores["link F1"] = link_f1(channel.links, links)
    return scores


@dataclass(frozen=True, slots=True)
class Choices:
    """Rows of evidence for many messages; `begins` is where each message's rows begin."""

    rows: NDArray[np.float32]  # (rows, features)
    right: NDArray[np.bool_]  # (rows,)
    begins: NDArray[np.int64]  # (messages,)


def choices(channels_: Iterable[Channel], weights: Floats | None, *, every: int = 1) -> Choices:
    """The choices of each message, after gold conversations or after those that weights find."""
    rows: list[Floats] = []
    right: list[NDArray[np.bool_]] = []
    for channel in channels_:
        for number, (evidence, answers) in enumerate(_walk(channel, weights)):
            if number % every == 0:
                rows.append(evidence)
                right.append(answers)
    sizes = [len(one) for one in rows]
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return Choices(np.concatenate(rows).astype(np.float32), np.concatenate(right), begins)


def _walk(channel: Channel, weights: Floats | None) -> Iterator[tuple[Floats, NDArray[np.bool_]]]:
    spoken = [number for number, said in enumerate(channel.messages) if said.speaker]
    answered: dict[int, set[int]] = {}
    for later, earlier in channel.links:
        answered.setdefault(later, set()).add(earlier)
    window = Window()
    for number in spoken:
        seen = window.look(channel.messages[number])
        evidence = window.evidence(seen)
        held = [spoken[one] for one in range(window.first, window.next)]
        if channel.links:
            right = [one in answered.get(number, ()) for one in held]
        else:
            label = channel.conversations[number]
            right = [channel.conversations[one] == label for one in held]
        if number >= channel.start:
            yield evidence, np.array([*right, not any(right)])
        best = window.first + int((evidence @ weights).argmax()) if weights is not None else None
        window.add(seen, _label(channel, spoken, window, best))


def _label(channel: Channel, spoken: Sequence[int], window: Window, best: int | None) -> int:
    """The conversation that a message goes to: the gold one, or that of what was found best."""
    if best is None:
        return hash(channel.conversations[spoken[window.next]])
    return window.next if best == window.next else window.label(best)


def fit(sample: Choices, *, ridge: float = 1.0) -> Floats:
    """Weights of greatest likelihood of a right choice, by Adam over the whole sample."""
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
    chosen = _softmax(scores, sample.begins)
    hoped = _softmax(np.where(sample.right, scores, -np.inf), sample.begins)
    return np.asarray((chosen - hoped) @ sample.rows / len(sample.begins), dtype=np.float64)


def _softmax(scores: NDArray[np.float32], begins: NDArray[np.int64]) -> NDArray[np.float32]:
    sizes = np.diff([*begins, len(scores)])
    best = np.maximum.reduceat(scores, begins)
    raised = np.exp(scores - np.repeat(best, sizes))
    return raised / np.repeat(np.add.reduceat(raised, begins), sizes)


def train(sample: Sequence[Channel], *, every: int = 1) -> Floats:
    """Two rounds: after gold conversations, then after the first round's own."""
    first = fit(choices(sample, None, every=every))
    return fit(choices(sample, first, every=every))


def training_channels(name: str, root: Path | None = None) -> list[Channel]:
    """The channels that weights of this name are fitted on."""
    dataset, wanted = TRAINED_ON[name]
    return [channel for channel in channels(dataset, root) if channel.name in wanted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", choices=list(TRAINED_ON), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="fit on each Nth message only")
    options = parser.parse_args()
    weights = train(training_channels(options.train), every=options.every)
    named = dict(zip(FEATURES, weights.round(4).tolist(), strict=True))
    write_atomic(options.out / "weights.json", json.dumps(named, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
