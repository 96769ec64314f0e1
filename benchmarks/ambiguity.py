"""Abg-CoQA: do the answers tell an ambiguous question from a plain one?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.results import progress
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.ingestion.passages import split
from seminar.protocols import Reader
from seminar.reading.iterative import IterativeReader
from seminar.settings import Settings
from seminar.training.samples import sample
from seminar.types import Answer, Document, Hit, Query

BATCH = 16
PLAIN = 400  # of the plain questions, a fixed sample; ambiguous ones are all asked


def ambiguity(reader: Reader, limit: int | None) -> dict[str, object]:
    """AUC of the number of answers and of the second's score, on test: val teaches the reader."""
    examples = list(load("abg_coqa/test"))
    ambiguous = [one for one in examples if one.gold.clarifications]
    plain = sample((one for one in examples if not one.gold.clarifications), PLAIN)
    asked = [*ambiguous[:limit], *plain[:limit]]
    truth = np.array([bool(one.gold.clarifications) for one in asked])
    # Every round is read, so that the second answer has a score however weak it is.
    found = _read(asked, IterativeReader(reader, diversity=1.0, rounds=2))
    second = np.array([answers[1].score if len(answers) > 1 else 0.0 for answers in found])
    first = np.array([answers[0].score if answers else 0.0 for answers in found])
    ratio = second / np.maximum(first, 1e-9)
    told = ratio >= 1 - Settings().diversity
    return {
        "ambiguous": int(truth.sum()),
        "plain": int((~truth).sum()),
        "AUC of the second answer's score": _auc(second, truth),
        "AUC of its share of the first's": _auc(ratio, truth),
        "AUC of one answer or several": _auc(told.astype(float), truth),
        "AUC of how improbable the first is": _auc(-first, truth),
        "several, of the ambiguous": _percent(told[truth].mean()),
        "several, of the plain": _percent(told[~truth].mean()),
    }


def _read(asked: Sequence[Example], reader: Reader) -> list[list[Answer]]:
    found: list[list[Answer]] = []
    for start in progress(range(0, len(asked), BATCH), "Abg-CoQA"):
        batch = asked[start : start + BATCH]
        queries = [Query(one.question, one.question, history=one.history) for one in batch]
        hits = [[Hit(passage, 1.0) for passage in split(_story(one))] for one in batch]
        found += reader.read(queries, hits)
    return found


def _story(example: Example) -> Document:
    return Document(example.sources[0], example.title, example.context)


def _auc(scores: np.ndarray, truth: np.ndarray) -> float:
    """The chance that an ambiguous question scores above a plain one, ties counting half."""
    apart = scores[truth][:, None] - scores[~truth][None, :]  # (ambiguous, plain)
    return _percent(((apart > 0) + 0.5 * (apart == 0)).mean())


def _percent(share: float) -> float:
    return round(100 * float(share), 2)
