"""Fit the speaker scorer: python -m seminar.training.fitting.speakers --out FOLDER

Sentences of BC3's summaries, turned into questions about who said it, are asked of a mailbox with
half of the threads, and of the other half, where nobody said it. Questions of QAConv's development
set that ask for a speaker show how the weights transfer; they are not fitted.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from seminar.datasets.catalog import load, threads
from seminar.datasets.conversations.qaconv import scope
from seminar.examples import Example
from seminar.ingestion.segments import combine, split
from seminar.logistic import Floats, probabilities
from seminar.metrics.measures.normalisation import tokens
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever
from seminar.reading.attribution import parse_attribution
from seminar.reading.speaker_evidence import FEATURES, best_sentence_per_speaker
from seminar.training.fitting.trials import (
    HITS,
    Trial,
    best_of,
    calibrated,
    index_passages,
    write_fit,
)
from seminar.training.samples import rank
from seminar.types import Query

THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


def is_called(speaker: str, answer: str) -> bool:
    """Whether an answer means a speaker: by the whole name, the first or the last.

    >>> is_called("Edwin S. Kneedler", "MR. KNEEDLER"), is_called("Bo", "Ada")
    (True, False)
    """
    name, meant = tokens(speaker.removesuffix(", Jr.")), tokens(answer)
    return bool(name and meant) and (meant == name or meant[-1] in (name[0], name[-1]))


def scope_of(conversation: str) -> str:
    """The scope of a question about a conversation: its hearing or channel, or half of BC3."""
    known = conversation.startswith(("court", "slack", "bc3"))
    return scope(conversation) if known else "ab"[int(rank(conversation), 16) % 2]


def index_conversations(dataset: str, folder: Path, encoder: Encoder) -> Retriever:
    """The default retriever over a dataset's conversations."""
    placed = (replace(one, channel=scope_of(one.source)) for one in threads(dataset))
    passages = [passage for thread in combine(placed) for passage in split(thread)]
    return index_passages(passages, folder, encoder)


def trials_of(
    split_name: str, encoder: Encoder, *, size: int | None = None, seed: int = 1
) -> list[Trial]:
    """The trials of the questions of a split that ask for a speaker, in random order."""
    asked = [
        one
        for one in load(split_name)
        if one.gold.answerable and parse_attribution(one.question, ()).wanted == "speaker"
    ]
    random.Random(seed).shuffle(asked)
    with tempfile.TemporaryDirectory() as folder:
        retriever = index_conversations(split_name.split("/")[0], Path(folder) / "index", encoder)
        return list(try_questions(asked[:size], retriever, encoder, seed=seed))


def try_questions(
    examples: Sequence[Example], retriever: Retriever, encoder: Encoder, *, seed: int
) -> Iterator[Trial]:
    """Each question twice: where it was asked, and where nobody can have said it."""
    scopes = [scope_of(example.sources[0]) for example in examples]
    draw = random.Random(seed)
    foreign = [draw.choice(sorted({*scopes} - {one})) for one in scopes]
    for example, own, other in zip(examples, scopes, foreign, strict=True):
        for kind, searched in (("here", own), ("hidden", other)):
            query = Query(example.question, example.question, scope=searched)
            [hits] = retriever.search([query], HITS)
            found = best_sentence_per_speaker(
                parse_attribution(example.question, ()), hits, encoder
            )
            right = [
                kind == "here"
                and any(is_called(one.speaker, gold) for gold in example.gold.answers)
                for one, _ in found
            ]
            if found:
                yield Trial(kind, np.array([features for _, features in found]), np.array(right))


def report(trials: Sequence[Trial], weights: Floats, threshold: float) -> dict[str, float]:
    """How many questions are answered, answered rightly and refused at a threshold, in percent."""
    scores, right = best_of(trials, weights)
    answered = probabilities(scores) >= threshold
    here = np.array([one.kind == "here" for one in trials])
    shares = {
        "told, where it was said": answered[here].mean(),
        "told and right, where it was said": (answered & (right > 0))[here].mean(),
        "not told, where nobody said it": 1 - answered[~here].mean(),
    }
    return {name: round(100 * float(share), 1) for name, share in shares.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=int, help="only so many questions of each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    encoder = load_encoder("static")
    trials = trials_of("bc3/summaries", encoder, size=options.size, seed=options.seed)
    held_out, fitted = trials[: len(trials) // 4], trials[len(trials) // 4 :]
    weights = calibrated(fitted)
    transferred = trials_of("qaconv/val-full", encoder, size=options.size, seed=options.seed)
    scores = {
        "fitted": len(fitted),
        "held out": _report_all(held_out, weights),
        "qaconv/val-full": _report_all(transferred, weights),
    }
    named = dict(zip(FEATURES, weights.round(3).tolist(), strict=True))
    write_fit(options.out, named, scores)


def _report_all(trials: Sequence[Trial], weights: Floats) -> dict[str, object]:
    scores = {str(level): report(trials, weights, level) for level in THRESHOLDS}
    return {"trials": len(trials), "scores": scores}


if __name__ == "__main__":
    main()
