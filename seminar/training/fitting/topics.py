"""Fit a topic predictor to TopiOCQA's labels: python -m seminar.training.fitting.topics --out FILE

TopiOCQA's licence keeps the weights with whoever fits them: none are shipped. Use the file with
`Auto(topics=TrainedTopics.load(FILE, encoder))`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.answering.topics import switch_of
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder
from seminar.questions.topic_switches import (
    SWITCHES,
    PlainTopics,
    TopicPredictor,
    TrainedTopics,
    all_features,
    chances,
    likeliest,
)
from seminar.types import Dialogue, Passage, Query, Reply, Span, Switch, Turn

Floats = NDArray[np.float64]
BATCH = 2_048


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its dialogue; `switch` is None where nothing was answered before, or now."""

    example: Example
    dialogue: Dialogue
    switch: Switch | None


def in_dialogue(examples: Iterable[Example]) -> Iterator[Asked]:
    """Each turn after the turns before it, with the label of TopiOCQA's section 4.1.

    A topic is the article of the answer. A turn without one (an unanswerable question) has no
    label and leaves the trail as it was, so the next label compares with the last topic there was.
    """
    dialogues: dict[str, Dialogue] = {}
    for example in examples:
        before = dialogues.get(example.dialogue_id, Dialogue())
        topic = example.gold.topic
        yield Asked(example, before, switch_of(before, topic) if topic else None)
        dialogues[example.dialogue_id] = before.add(_turn(example))


def _turn(example: Example) -> Turn:
    """The turn with its gold answer, as if the article were just that."""
    answer, topic = example.gold.answers[0], example.gold.topic
    if not topic:
        return Turn(example.question, Reply("", Query(example.question)))
    span = Span(Passage(topic, 0, len(answer), answer, title=topic), 0, len(answer))
    reply = Reply(answer, Query(example.question), answerable=True, literal=(span,), topic=topic)
    return Turn(example.question, reply)


def fit(table: Floats, labels: Sequence[Switch], *, ridge: float = 3.0, steps: int = 400) -> Floats:
    """Weights of least penalised log loss, (features, switches).

    Each step solves with a bound on the curvature, XᵀX/2, that is the same for every switch
    (Böhning, 1992), so the loss falls at each step and one factorisation serves all of them.
    """
    wanted = np.array([[float(name == label) for name in SWITCHES] for label in labels])
    inverse = np.linalg.inv(table.T @ table / 2 + ridge * np.eye(table.shape[1]))
    weights = np.zeros((table.shape[1], len(SWITCHES)))
    for _ in range(steps):
        gradient = table.T @ (wanted - chances(table @ weights)) - ridge * weights
        step = inverse @ gradient
        weights += step
        if np.abs(step).max() < 1e-4:
            break
    return weights


def train(asked: Sequence[Asked], encoder: Encoder) -> TrainedTopics:
    """The predictor that fits the labelled turns."""
    known = [one for one in asked if one.switch]
    rows = [
        all_features(
            [one.dialogue for one in known[start : start + BATCH]],
            [one.example.question for one in known[start : start + BATCH]],
            encoder,
        )
        for start in range(0, len(known), BATCH)
    ]
    labels = [one.switch for one in known if one.switch]
    return TrainedTopics(fit(np.vstack(rows), labels), encoder)


def score(predicted: Sequence[Switch], labels: Sequence[Switch]) -> dict[str, float]:
    """Accuracy, F1 of each switch and their mean, in percent."""
    pairs = list(zip(predicted, labels, strict=True))
    f1 = {name: _f1(name, pairs) for name in SWITCHES}
    return {
        "accuracy": round(100 * sum(a == b for a, b in pairs) / len(pairs), 1),
        "macro-F1": round(sum(f1.values()) / len(f1), 1),
    } | {name: round(value, 1) for name, value in f1.items()}


def _f1(name: Switch, pairs: Sequence[tuple[Switch, Switch]]) -> float:
    """2 · both / (predicted + gold), in percent; 0 where there is neither."""
    both = sum(a == b == name for a, b in pairs)
    either = sum((a == name) + (b == name) for a, b in pairs)
    return 200 * both / either if either else 0.0


def predict(predictor: TopicPredictor, asked: Sequence[Asked]) -> list[Switch]:
    """The likeliest switch of each turn."""
    dialogues = [one.dialogue for one in asked]
    predicted = predictor.predict(dialogues, [one.example.question for one in asked])
    return [likeliest(one) for one in predicted]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="a file, as in topics.npz")
    parser.add_argument("--encoder", default="static")
    options = parser.parse_args()
    predictor = train(list(in_dialogue(load("topiocqa/train"))), load_encoder(options.encoder))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    predictor.save(options.out)
    held_out = [one for one in in_dialogue(load("topiocqa/dev")) if one.switch]
    labels = [one.switch for one in held_out if one.switch]
    scores = {
        name: score(predict(made, held_out), labels)
        for name, made in (("trained", predictor), ("plain", PlainTopics()))
    }
    file = options.out.with_suffix(".json")
    file.write_text(json.dumps({"topiocqa/dev": len(labels)} | scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
