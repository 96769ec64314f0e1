"""The trained rewriter: its questions beside people's, and how long a rewrite takes.

    scripts/bench rewriter --model FOLDER [--limit N]

Needs SEMINAR_DATA. Copying the question and perfect edits frame what can be reached.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.results import progress, write_result
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.measures.bleu import corpus_bleu
from seminar.metrics.measures.rouge import mean_rouge_1_recall
from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.training.reader.examples import CANNOT_ANSWER
from seminar.training.samples import sample
from seminar.weights import weights_folder

SETS = ("canard/dev", "qrecc/dev-part")


def asked(example: Example) -> FollowUp:
    """A dataset's turn as the rewriter takes it."""
    turns = tuple((one, "" if said == CANNOT_ANSWER else said) for one, said in example.history)
    return FollowUp(example.question, turns, example.title, example.section)


def scores(said: Sequence[str], examples: Sequence[Example]) -> dict[str, float]:
    wanted = [example.gold.rewrites[0] for example in examples]
    same = [one.lower() == other.lower() for one, other in zip(said, wanted, strict=True)]
    return {
        "BLEU": round(corpus_bleu(said, [wanted]).score, 2),
        "ROUGE-1 recall": round(100 * mean_rouge_1_recall(said, wanted), 2),
        "exact": round(100 * sum(same) / len(same), 2),
    }


def measure(model: RewriterModel, name: str, limit: int | None) -> dict[str, object]:
    """The scores of one dataset, and milliseconds for each question that has a history."""
    examples = list(load(name))
    examples = sample(examples, limit) if limit else examples
    said, seconds = [], []
    for at in progress(range(len(examples)), name):
        start = time.perf_counter()
        said.append(model.rewrite([asked(examples[at])])[0])
        if examples[at].history:
            seconds.append(time.perf_counter() - start)
    changed = sum(one != example.question for one, example in zip(said, examples, strict=True))
    return {
        "questions": len(examples),
        "copied": scores([example.question for example in examples], examples),
        "rewritten": scores(said, examples),
        "changed": round(100 * changed / len(examples), 2),
        "milliseconds p50, p95": [
            round(1000 * float(np.quantile(seconds, q)), 1) for q in (0.5, 0.95)
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, default=weights_folder("rewriter"))
    parser.add_argument("--limit", type=int, help="only so many questions of each set")
    options = parser.parse_args()
    model = RewriterModel(options.model)
    results = {name: measure(model, name, options.limit) for name in SETS}
    write_result("rewriter-sample" if options.limit else "rewriter", results)


if __name__ == "__main__":
    main()
