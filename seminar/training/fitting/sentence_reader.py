"""Fit the sentence reader: python -m seminar.training.fitting.sentence_reader --out FOLDER

Questions of SQuAD train and of Natural Questions (whose words are not taken from the paragraph, as
SQuAD's are) are asked of an index of all their paragraphs: as they are, and with their own article
hidden, so that the probability separates what the files hold from what they don't. The unanswerable
questions of SQuAD 2.0 are scored, but not fitted: they differ from answerable ones in a word that
these features don't measure, and would only make the reader abstain.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.logistic import Floats, probabilities
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.reading.sentence_reader import FEATURES, SentenceCandidate, SentenceReader
from seminar.training.fitting.trials import (
    HIDDEN_DEPTH,
    HITS,
    Trial,
    best_of,
    calibrated,
    index_passages,
    write_fit,
)
from seminar.types import Hit, Passage, Query

THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)


def index_paragraphs(examples: Sequence[Example], folder: Path, encoder: Encoder) -> Retriever:
    """The default retriever over every paragraph that the examples have."""
    paragraphs = {(example.title, example.context) for example in examples}
    passages = [
        Passage(str(number), 0, len(context), context, title=title.replace("_", " "))
        for number, (title, context) in enumerate(sorted(paragraphs))
    ]
    return index_passages(passages, folder, encoder)


def try_questions(
    samples: dict[str, list[Example]], retriever: Retriever, reader: SentenceReader
) -> Iterator[Trial]:
    """The sentences found for each question, by the kind of the question."""
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


def _holds(candidate: SentenceCandidate, example: Example) -> bool:
    """Whether the sentence is of the right article and has the answer's words."""
    passage = candidate.span.passage
    same_article = passage.title == example.title.replace("_", " ")
    return same_article and any(answer in candidate.span.text for answer in example.gold.answers)


def report(trials: Sequence[Trial], weights: Floats, threshold: float) -> dict[str, float | None]:
    """Shares answered, answered rightly and refused at a threshold, in percent.

    None where there are no such questions.
    """
    scores, right = best_of(trials, weights)
    answered = probabilities(scores) >= threshold
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
    write_fit(options.out, named, scores)


if __name__ == "__main__":
    main()
