"""Fit who is likely to have said it: python -m seminar.training.voices --out FILE

Questions of QAConv's training set that ask for a speaker are asked of their own conversation or
channel, and of a foreign one, where nobody said it. The weights go into `reading/voices.py`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from seminar.attribution import attribute
from seminar.datasets.catalog import load, threads
from seminar.datasets.qaconv import scope
from seminar.ingestion.segments import combine, split
from seminar.io import write_atomic
from seminar.metrics.normalisation import tokens
from seminar.models.encoders import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.reading.voices import FEATURES, voices
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.store import LanceStore
from seminar.training.sentences import HITS, Floats, Trial, best_of, calibrated
from seminar.types import Example, Query

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


def is_called(speaker: str, answer: str) -> bool:
    """Whether an answer means a speaker: by the whole name, the first or the last.

    >>> is_called("Edwin S. Kneedler", "MR. KNEEDLER"), is_called("Bo", "Ada")
    (True, False)
    """
    name, meant = tokens(speaker.removesuffix(", Jr.")), tokens(answer)
    return bool(name and meant) and (meant == name or meant[-1] in (name[0], name[-1]))


def search(folder: Path, encoder: Encoder) -> Retriever:
    """The default retriever over QAConv's conversations."""
    store = LanceStore.create(folder, encoder=encoder.name, dimensions=encoder.dimensions)
    found = [one for thread in combine(threads("qaconv")) for one in split(thread)]
    store.add(found, encoder.encode([one.searched for one in found]))
    return hybrid(store, encoder)


def tried(
    examples: Sequence[Example], retriever: Retriever, encoder: Encoder, *, seed: int
) -> Iterator[Trial]:
    """Each question twice: where it was asked, and where nobody can have said it."""
    places = [scope(example.sources[0]) for example in examples]
    foreign = places[:]
    random.Random(seed).shuffle(foreign)
    for example, own, other in zip(examples, places, foreign, strict=True):
        for kind, place in (("here", own), ("hidden", other)):
            if kind == "hidden" and other == own:
                continue
            query = Query(example.question, example.question, scope=place)
            [hits] = retriever.search([query], HITS)
            found = voices(attribute(example.question, ()), hits, encoder)
            right = [
                kind == "here"
                and any(is_called(one.speaker, gold) for gold in example.gold.answers)
                for one, _ in found
            ]
            if found:
                yield Trial(kind, np.array([features for _, features in found]), np.array(right))


def report(trials: Sequence[Trial], weights: Floats, threshold: float) -> dict[str, float]:
    """How the questions fare at a threshold, in percent."""
    scores, right = best_of(trials, weights)
    told = 1 / (1 + np.exp(-scores)) >= threshold
    here = np.array([one.kind == "here" for one in trials])
    shares = {
        "told, where it was said": told[here].mean(),
        "told and right, where it was said": (told & (right > 0))[here].mean(),
        "not told, where nobody said it": 1 - told[~here].mean(),
    }
    return {name: round(100 * float(share), 1) for name, share in shares.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, help="only so many questions")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = [
        one
        for one in load("qaconv/trn-full")
        if one.gold.answerable and attribute(one.question, ()).wanted == "speaker"
    ]
    random.Random(options.seed).shuffle(asked)
    encoder = load_encoder("static")
    with tempfile.TemporaryDirectory() as folder:
        retriever = search(Path(folder) / "index", encoder)
        trials = list(tried(asked[: options.size], retriever, encoder, seed=options.seed))
    held_out, fitted = trials[: len(trials) // 4], trials[len(trials) // 4 :]
    weights = calibrated(fitted)
    named = dict(zip(FEATURES, weights.round(3).tolist(), strict=True))
    scores = {level: report(held_out, weights, level) for level in THRESHOLDS}
    told = {"questions": len(asked), "held out": len(held_out), "weights": named, "scores": scores}
    write_atomic(options.out, json.dumps(told, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
