"""Fit the sentence reader: python -m seminar.training.fitting.sentence_reader --out FOLDER

Questions of SQuAD train and of Natural Questions (people's own words, unlike SQuAD's echoes of
the paragraph) are asked of an index of all their paragraphs: as they are, and with their own
article hidden, so that the probability tells what is here from what is not. The unanswerable
questions of SQuAD 2.0 are scored, but not fitted: they differ from answerable ones in a word that
evidence of this kind can't weigh, and would only teach the reader to be silent.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.assembly import create_index
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.io import write_atomic
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.reading.sentence_reader import FEATURES, Candidate, SentenceReader
from seminar.retrieval.hybrid import hybrid
from seminar.types import Hit, Passage, Query

HITS = 10
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
HIDDEN_DEPTH = 60  # deep enough that hits remain when an article's own paragraphs are taken out
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, its candidates' evidence, and which of them hold the answer."""

    kind: str
    features: Floats  # (candidates, features)
    right: NDArray[np.bool_]  # (candidates,)


def index_paragraphs(examples: Sequence[Example], folder: Path, encoder: Encoder) -> Retriever:
    """The default retriever over every paragraph that the examples have."""
    index = create_index(folder, encoder)
    paragraphs = {(example.title, example.context) for example in examples}
    passages = [
        Passage(str(number), 0, len(context), context, title=title.replace("_", " "))
        for number, (title, context) in enumerate(sorted(paragraphs))
    ]
    index.add(passages, encoder.encode([passage.searched for passage in passages]))
    return hybrid(index, encoder)


def try_questions(
    samples: dict[str, list[Example]], retriever: Retriever, reader: SentenceReader
) -> Iterator[Trial]:
    for kind, examples in samples.items():
        for example in examples:
            query = Query(text=example.question, question=example.question)
            [hits] = retriever.search([query], HIDDEN_DEPTH)
            candidates = reader.candidates(query, _visible(kind, example, hits))
            right = [kind == "here" and _holds(one, example) for one in candidates]
            features = np.array([one.features for one in candidates]).reshape(-1, len(FEATURES))
            yield Trial(kind, features, np.array(right, dtype=bool))


def _visible(kind: str, example: Example, hits: list[Hit]) -> list[Hit]:
    if kind == "hidden":
        own = example.title.replace("_", " ")
        hits = [hit for hit in hits if hit.passage.title != own]
    return hits[:HITS]


def _holds(candidate: Candidate, example: Example) -> bool:
    """Whether the sentence is of the right article and has the answer's words."""
    passage = candidate.span.passage
    same_article = passage.title == example.title.replace("_", " ")
    return same_article and any(answer in candidate.span.text for answer in example.gold.answers)


def fit(features: Floats, labels: Floats, *, ridge: float = 1.0) -> Floats:
    """Logistic regression by Newton's method, with a small ridge."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (chance - labels) + ridge * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        step = np.linalg.solve(curvature + ridge * np.eye(len(weights)), gradient)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def calibrated(trials: Sequence[Trial]) -> Floats:
    """Weights that rank candidates, scaled so that the best one's probability is honest."""
    ranking = fit(
        np.concatenate([one.features for one in trials]),
        np.concatenate([one.right for one in trials]).astype(float),
    )
    best, right = best_of(trials, ranking)
    slope, shift = fit(np.stack([best, np.ones_like(best)], axis=1), right, ridge=0.01)
    scaled = slope * ranking
    scaled[0] += shift  # the first feature is the bias
    return np.asarray(scaled)


def best_of(trials: Sequence[Trial], weights: Floats) -> tuple[Floats, Floats]:
    """The best candidate's score in each trial, and whether it is right."""
    scores = [one.features @ weights for one in trials]
    best = [int(score.argmax()) for score in scores]
    return (
        np.array([score[at] for score, at in zip(scores, best, strict=True)]),
        np.array([float(one.right[at]) for one, at in zip(trials, best, strict=True)]),
    )


def report(trials: Sequence[Trial], weights: Floats, threshold: float) -> dict[str, float | None]:
    """How the questions fare at a threshold, in percent; None where there are no such questions."""
    scores, right = best_of(trials, weights)
    answered = 1 / (1 + np.exp(-scores)) >= threshold
    kinds = np.array([trial.kind for trial in trials])
    here = kinds == "here"
    return {
        "told, of those here": _percent(answered[here]),
        "told and right, of those here": _percent((answered & (right > 0))[here]),
        "abstains, of those hidden": _percent(~answered[kinds == "hidden"]),
        "abstains, of those unanswerable": _percent(~answered[kinds == "unanswerable"]),
    }


def _percent(flags: NDArray[np.bool_]) -> float | None:
    return round(100 * float(flags.mean()), 1) if flags.size else None


def sample(size: int, seed: int) -> tuple[list[Example], dict[str, list[Example]]]:
    """Everything to index, and the questions to try by kind."""
    chance = random.Random(seed)
    squad = list(load("squad/train"))
    tested = {example.question for example in load("nq_gold_passages/oracle")}
    natural = [one for one in load("nq_gold_passages/openbook") if one.question not in tested]
    picked = chance.sample(squad, size)
    chance.shuffle(natural)
    half = len(natural) // 2
    kinds = {
        "here": picked[: size // 2] + natural[:half],
        "hidden": picked[size // 2 :] + natural[half:],
        "unanswerable": chance.sample(list(load("squad/train-v2-unanswerable")), 100),
    }
    return squad + natural, kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, default=800, help="questions of SQuAD")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    indexed, kinds = sample(options.size, options.seed)
    reader = SentenceReader(load_encoder("minilm"), weights=dict.fromkeys(FEATURES, 0.0))
    with tempfile.TemporaryDirectory() as folder:
        retriever = index_paragraphs(indexed, Path(folder) / "index", load_encoder("static"))
        trials = [one for one in try_questions(kinds, retriever, reader) if len(one.right)]
    random.Random(options.seed).shuffle(trials)
    held_out = trials[: len(trials) // 4]
    weights = calibrated([one for one in trials[len(held_out) :] if one.kind != "unanswerable"])
    scores = {
        "questions": {kind: sum(one.kind == kind for one in held_out) for kind in kinds},
        "at threshold": {level: report(held_out, weights, level) for level in THRESHOLDS},
    }
    named = dict(zip(FEATURES, weights.round(4).tolist(), strict=True))
    write_atomic(options.out / "weights.json", json.dumps(named, indent=1).encode() + b"\n")
    write_atomic(options.out / "scores.json", json.dumps(scores, indent=1).encode() + b"\n")


if __name__ == "__main__":
    main()
