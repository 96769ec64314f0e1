"""Fit a topic predictor to TopiOCQA's labels: python -m seminar.training.fitting.topics --out FILE

TopiOCQA's licence doesn't allow the weights to be shipped: fit your own, and use the file with
`Auto(topics=TrainedTopics.load(FILE, encoder))`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seminar.answering.topics import switch_of
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.logistic import fit_softmax
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder
from seminar.questions.topic_switches import (
    SWITCHES,
    PlainTopics,
    TopicPredictor,
    TrainedTopics,
    all_features,
    likeliest,
)
from seminar.types import Dialogue, Passage, Query, Reply, Span, Switch, Turn

BATCH = 2_048
PENALTY = 3.0


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A question in its dialogue; `switch` is None where nothing was answered before, or now."""

    example: Example
    dialogue: Dialogue
    switch: Switch | None


def in_dialogue(examples: Iterable[Example]) -> Iterator[LabelledTurn]:
    """Each turn after the turns before it, with the label of TopiOCQA's section 4.1.

    A topic is the article of the answer. A turn without one (an unanswerable question) has no
    label and leaves the trail unchanged, so the next label compares with the last topic before it.
    """
    dialogues: dict[str, Dialogue] = {}
    for example in examples:
        before = dialogues.get(example.dialogue_id, Dialogue())
        topic = example.gold.topic
        yield LabelledTurn(example, before, switch_of(before, topic) if topic else None)
        dialogues[example.dialogue_id] = before.add(_turn(example))


def _turn(example: Example) -> Turn:
    """The turn with its gold answer, as if the article were just that."""
    answer, topic = example.gold.answers[0], example.gold.topic
    if not topic:
        return Turn(example.question, Reply("", Query(example.question)))
    span = Span(Passage(topic, 0, len(answer), answer, title=topic), 0, len(answer))
    reply = Reply(answer, Query(example.question), answerable=True, literal=(span,), topic=topic)
    return Turn(example.question, reply)


def train(asked: Sequence[LabelledTurn], encoder: Encoder) -> TrainedTopics:
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
    labels = np.array([[float(one.switch == name) for name in SWITCHES] for one in known])
    return TrainedTopics(fit_softmax(np.vstack(rows), labels, penalty=PENALTY), encoder)


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


def predict(predictor: TopicPredictor, asked: Sequence[LabelledTurn]) -> list[Switch]:
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
