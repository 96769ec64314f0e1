"""Fit the detector of standalone questions: python -m seminar.training.fitting.standalone --out DIR

People rewrote the questions of QReCC to be standalone; a question that they left unchanged was so
already. Hardly any of these changes the subject, so first questions of other conversations are
asked in the middle of one: they are standalone too, and unrelated to the turns before them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.logistic import fit_logistic_with_bias
from seminar.questions.cues import Exchange, cues
from seminar.questions.standalone import StandingAlone, features
from seminar.text import words
from seminar.training.fitting.trials import write_fit


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question in its conversation, and whether it is standalone."""

    question: str
    history: tuple[Exchange, ...]
    standalone: bool


def follow_ups_of(examples: Iterable[Example]) -> list[LabelledQuestion]:
    """Follow-ups, which are standalone where the rewrite changed no word."""
    return [
        LabelledQuestion(one.question, one.history, _same(one.question, one.gold.rewrites[0]))
        for one in examples
        if one.history and one.gold.rewrites
    ]


def changes_of_subject(
    examples: Sequence[Example], count: int, seed: int
) -> list[LabelledQuestion]:
    """First questions of some conversations, asked in the middle of others."""
    chance = random.Random(seed)
    firsts = sorted({one.history[0][0] for one in examples if one.history})
    hosts = [one.history for one in examples if one.history]
    return [
        LabelledQuestion(chance.choice(firsts), chance.choice(hosts), True) for _ in range(count)
    ]


def fit(questions: Sequence[LabelledQuestion]) -> dict[str, float]:
    """The weight of each feature."""
    rows = [features(cues(one.question, one.history)) for one in questions]
    names = [name for name in rows[0] if name != "bias"]
    table = np.array([[row[name] for name in names] for row in rows])
    labels = np.array([float(one.standalone) for one in questions])
    weights, bias = fit_logistic_with_bias(table, labels)
    return {"bias": round(bias, 3)} | {
        name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)
    }


def area_under_curve(model: StandingAlone, questions: Sequence[LabelledQuestion]) -> float:
    """How often a standalone question scores above one that isn't (AUC), in percent."""
    scores = np.array([model.chance(cues(one.question, one.history)) for one in questions])
    standalone = np.array([one.standalone for one in questions])
    above = scores[standalone][:, None] - scores[~standalone]  # (standalone, not standalone)
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
    follow_ups = follow_ups_of(qrecc)
    changed = changes_of_subject(qrecc, options.size, options.seed)
    weights = fit([*follow_ups, *changed])
    fitted = {"qrecc/train-part": len(follow_ups), "changes of subject": len(changed)}
    model = StandingAlone(weights)
    held_out = list(load("qrecc/dev-part"))
    follow_ups = follow_ups_of(held_out)
    changed = changes_of_subject(held_out, 500, options.seed)
    scores = {
        "fitted on": fitted,
        "held out": {"qrecc/dev-part": len(follow_ups), "changes of subject": len(changed)},
        "AUC, follow-ups": area_under_curve(model, follow_ups),
        "AUC, with changes of subject": area_under_curve(model, [*follow_ups, *changed]),
    }
    write_fit(options.out, weights, scores)


if __name__ == "__main__":
    main()
