"""Fit what bears a sentence out: python -m seminar.training.fitting.grounding --out FOLDER

Pairs of evidence and a statement with people's labels: FEVER's claims (supported, refuted, not
enough to tell) and BEGIN's generated replies (attributable to their text or not). Every fourth
pair is held out, and the least probability is chosen there: the lowest from which the share of
told sentences that are borne out is the share that is asked for. A third of the pairs is right,
while most sentences of a model that has the passages before it are, so the share in use is higher.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from seminar.datasets.files import read_json_lines
from seminar.logistic import Floats, fit_logistic_with_bias, probabilities
from seminar.reading.readers import load_span_model
from seminar.reading.statements import supports
from seminar.text import sentences
from seminar.training.fitting.trials import write_json
from seminar.training.reader.verification import verification_folder
from seminar.training.samples import rank
from seminar.types import Passage, Span
from seminar.writing.grounding import FEATURES, Evidence

HELD_OUT = 4  # every so many-th pair
LEAST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement beside its evidence, and whether that bears it out."""

    source: str
    statement: str
    evidence: str
    right: bool

    @property
    def item(self) -> Evidence:
        passage = Passage(self.source, 0, len(self.evidence), self.evidence)
        spans = tuple(Span(passage, start, end) for start, end in sentences(self.evidence))
        return Evidence(self.statement, spans)


def _read(statement: str, evidence: str, right: str) -> Callable[[Path], Iterator[Pair]]:
    def pairs(path: Path) -> Iterator[Pair]:
        for record in read_json_lines(path):
            told = record.text(statement)
            if len(told.split()) >= LEAST_WORDS and record.text("label") != "Generic":
                right_one = record.text("label") == right
                yield Pair(path.parent.name, told, record.text(evidence), right_one)

    return pairs


SOURCES: dict[str, Callable[[Path], Iterator[Pair]]] = {
    "begin/wow_test.jsonl.gz": _read("response", "evidence", "Fully attributable"),
    "fever_dev/fever_dev_claims.jsonl.gz": _read("claim", "evidence", "supports"),
    "fever_dev/fever_dev_nei.jsonl.gz": _read("claim", "evidence", "supports"),
}


def sample(limit: int) -> list[Pair]:
    """A fixed sample of at most `limit` pairs of each source."""
    chosen = []
    for name, read in SOURCES.items():
        pairs = sorted(read(verification_folder() / name), key=lambda one: rank(one.statement))
        chosen += list(islice(pairs, limit))
    return chosen


def features(pairs: Sequence[Pair], reader: str) -> tuple[Floats, Floats, Floats]:
    """The features of each pair, whether it is right, and whether its facts stand."""
    model = load_span_model(reader)
    items = [pair.item for pair in pairs]
    read = supports(model, [item.claim for item in items])
    found = [item.features(support) for item, support in zip(items, read, strict=True)]
    table = np.array([[row[name] for name in FEATURES] for row in found])
    labels = np.array([float(pair.right) for pair in pairs])
    return table, labels, np.array([float(item.holds_facts) for item in items])


def least_probability(chances: Floats, labels: Floats, precision: float) -> float:
    """The lowest probability above which so large a share is right."""
    order = np.argsort(-chances)
    right = np.cumsum(labels[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(right >= precision)
    return round(float(chances[order][enough[-1]]), 3) if len(enough) else 0.99


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reader", default="span", help="the reader's name or folder")
    parser.add_argument("--size", type=int, default=400, help="pairs of each source")
    parser.add_argument("--precision", type=float, default=0.75)
    options = parser.parse_args()
    pairs = sample(options.size)
    table, labels, stand = features(pairs, options.reader)
    held = np.arange(len(pairs)) % HELD_OUT == 0
    weights, bias = fit_logistic_with_bias(table[~held][:, 1:], labels[~held])
    chances = probabilities(table[:, 1:] @ weights + bias) * stand
    least = least_probability(chances[held], labels[held], options.precision)
    fitted = {"bias": round(bias, 3)} | {
        name: round(float(weight), 3) for name, weight in zip(FEATURES[1:], weights, strict=True)
    }
    write_json(options.out / "grounding.json", {"weights": fitted, "least": least})
    told = chances[held] >= least
    write_json(
        options.out / "grounding-scores.json",
        {
            "pairs": {"fitted": int((~held).sum()), "held out": int(held.sum())},
            "by source": {
                name: _scores(chances[mask], labels[mask], least)
                for name in dict.fromkeys(pair.source for pair in pairs)
                if (mask := held & np.array([pair.source == name for pair in pairs])).any()
            },
            "held out": _scores(chances[held], labels[held], least),
            "told": int(told.sum()),
        },
    )


def _scores(chances: Floats, labels: Floats, least: float) -> dict[str, object]:
    told = chances >= least
    right = labels == 1
    above = (chances[right][:, None] > chances[~right]) + 0.5 * (
        chances[right][:, None] == chances[~right]
    )
    return {
        "pairs": len(labels),
        "right": int(right.sum()),
        "AUC": round(100 * float(above.mean()), 1),
        "told and right, of the told": round(100 * float(labels[told].mean()), 1)
        if told.any()
        else None,
        "told, of the right": round(100 * float(told[right].mean()), 1),
    }


if __name__ == "__main__":
    main()
