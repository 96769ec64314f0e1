"""Fit when a question stands alone: python -m seminar.training.fitting.standalone --out FOLDER

People rewrote the questions of QReCC so that they stand alone; one that they left as it was needed
nothing. Hardly any of those changes the subject, so first questions of other
conversations are asked in the middle of one: these stand alone too, and have nothing to do with
what was said before them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.baselines.regression import fit_logistic
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.io import write_atomic
from seminar.questions.cues import Exchange, cues
from seminar.questions.standalone import StandingAlone, features
from seminar.text import words

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its conversation, and whether it stands alone."""

    question: str
    history: tuple[Exchange, ...]
    alone: bool


def rewritten(examples: Iterable[Example]) -> list[Asked]:
    """Follow-ups, which stand alone where the rewrite changed no word."""
    return [
        Asked(one.question, one.history, _same(one.question, one.gold.rewrites[0]))
        for one in examples
        if one.history and one.gold.rewrites
    ]


def changes_of_subject(examples: Sequence[Example], count: int, seed: int) -> list[Asked]:
    """First questions of some conversations, asked in the middle of others."""
    chance = random.Random(seed)
    firsts = sorted({one.history[0][0] for one in examples if one.history})
    hosts = [one.history for one in examples if one.history]
    return [Asked(chance.choice(firsts), chance.choice(hosts), True) for _ in range(count)]


def fit(asked: Sequence[Asked]) -> dict[str, float]:
    """The weight of each feature."""
    found = [features(cues(one.question, one.history)) for one in asked]
    names = [name for name in found[0] if name != "bias"]
    table = np.array([[one[name] for name in names] for one in found])
    labels = np.array([float(one.alone) for one in asked])
    weights, bias = fit_logistic(table, labels)
    return {"bias": round(bias, 3)} | {
        name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)
    }


def area(model: StandingAlone, asked: Sequence[Asked]) -> float:
    """How often a question that stands alone scores above one that doesn't (AUC), in percent."""
    scores = np.array([model.chance(cues(one.question, one.history)) for one in asked])
    alone = np.array([one.alone for one in asked])
    above = scores[alone][:, None] - scores[~alone]  # (alone, not alone)
    return round(100 * float(((above > 0) + 0.5 * (above == 0)).mean()), 1)


def _same(question: str, rewrite: str) -> bool:
    return _words(question) == _words(rewrite)


def _words(text: str) -> list[str]:
    return [text[start:end].lower() for start, end in words(text)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, default=2_000, help="changes of subject")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    qrecc = list(load("qrecc/train-part"))
    follow_ups = rewritten(qrecc)
    changed = changes_of_subject(qrecc, options.size, options.seed)
    weights = fit([*follow_ups, *changed])
    fitted = {"qrecc/train-part": len(follow_ups), "changes of subject": len(changed)}
    model = StandingAlone(weights)
    held_out = list(load("qrecc/dev-part"))
    follow_ups = rewritten(held_out)
    changed = changes_of_subject(held_out, 500, options.seed)
    scores = {
        "fitted on": fitted,
        "held out": {"qrecc/dev-part": len(follow_ups), "changes of subject": len(changed)},
        "AUC, follow-ups": area(model, follow_ups),
        "AUC, with changes of subject": area(model, [*follow_ups, *changed]),
    }
    write_atomic(options.out / "weights.json", json.dumps(weights, indent=1).encode() + b"\n")
    write_atomic(options.out / "scores.json", json.dumps(scores, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
