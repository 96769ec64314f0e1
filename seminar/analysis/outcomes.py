"""What systems answered, beside the turns they answered: scores by turn, distance and length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from seminar.baselines.transitions import CHUNKS
from seminar.examples import Example
from seminar.metrics.official.ambigqa import matches
from seminar.text import whole

Z = 1.959964  # of a 95 % interval
LENGTHS = (1, 2, 4, 8, 12, 16, 24, 32)  # answers up to so many words share a bin


@dataclass(frozen=True)
class Outcome:
    """What a system did with one example; `score` is the measure that curves show, 0 to 1.

    `confidence` is the probability that the system gave its answer, `answers` are all it gave.
    """

    id: str
    answer: str
    score: float
    answers: tuple[str, ...] = ()
    confidence: float | None = None
    seconds: float | None = None
    megabytes: float | None = None


def join(turns: pd.DataFrame, systems: Mapping[str, Sequence[Outcome]]) -> pd.DataFrame:
    """One row for each system and turn that it answered, with the columns of the turn."""
    parts = [
        pd.DataFrame(
            {
                "system": whole(name),
                "id": [whole(one.id) for one in outcomes],
                "prediction": [whole(one.answer) for one in outcomes],
                "score": [one.score for one in outcomes],
                "confidence": pd.array([one.confidence for one in outcomes], dtype="Float64"),
                "seconds": pd.array([one.seconds for one in outcomes], dtype="Float64"),
                "megabytes": pd.array([one.megabytes for one in outcomes], dtype="Float64"),
            }
        )
        for name, outcomes in systems.items()
        if outcomes
    ]
    if not parts:
        return pd.DataFrame()
    rows = pd.concat(parts, ignore_index=True)
    for column in ("confidence", "seconds", "megabytes"):
        rows[column] = rows[column].astype("float64")
    joined = rows.merge(turns, on="id", how="inner", sort=False)
    located = joined["chunk"].between(0, CHUNKS - 1) & joined["previous_chunk"].between(
        0, CHUNKS - 1
    )
    joined["distance"] = (joined["chunk"] - joined["previous_chunk"]).abs().where(located)
    bins = [0, *LENGTHS, np.inf]
    names = [
        f"{low + 1}–{high}" if high > low + 1 else f"{high}"
        for low, high in pairwise([0, *LENGTHS])
    ]
    names.append(f"over {LENGTHS[-1]}")
    joined["length"] = pd.cut(joined["answer_words"], bins, labels=names)
    return joined


def by_group(outcomes: pd.DataFrame, column: str) -> pd.DataFrame:
    """Each system's mean score by a column, with its 95 % interval, both in percent.

    The interval takes dialogs as units: mean ± 1.96 standard errors of the ratio of the dialogs'
    sums of scores to their numbers of questions.
    """
    rows = []
    known = outcomes[outcomes[column].notna()]
    for (system, group), part in known.groupby(["system", column], observed=True, sort=True):
        mean, low, high = interval(part["score"], part["dialogue"])
        rows.append((system, group, len(part), 100 * mean, 100 * low, 100 * high))
    names = ["system", column, "questions", "score", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def interval(scores: pd.Series, dialogs: pd.Series) -> tuple[float, float, float]:
    """The mean of scores and its 95 % interval, with dialogs as units."""
    groups = scores.groupby(dialogs, sort=False, observed=True)
    sums, counts = groups.sum().to_numpy(), groups.size().to_numpy()
    mean = float(sums.sum() / counts.sum())
    if len(sums) < 2:
        return mean, np.nan, np.nan
    spread = np.sqrt(((sums - mean * counts) ** 2).sum() * len(sums) / (len(sums) - 1))
    error = Z * float(spread) / float(counts.sum())
    return mean, max(0.0, mean - error), min(1.0, mean + error)


def summary(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Each system's score with its interval, its time and its memory."""
    rows = []
    for system, part in outcomes.groupby("system", sort=False):
        mean, low, high = interval(part["score"], part["dialogue"])
        rows.append(
            (system, len(part), 100 * mean, 100 * low, 100 * high, 1000 * part["seconds"].mean(),
             part["megabytes"].max())
        )  # fmt: skip
    names = ["system", "questions", "score", "low", "high", "ms / question", "peak MB"]
    return pd.DataFrame(rows, columns=names)


def answer_sets(
    examples: Sequence[Example], systems: Mapping[str, Sequence[Outcome]]
) -> pd.DataFrame:
    """AmbigPrompt, figure 5: F1, precision, recall and number of answers of each system.

    Each question counts with the annotator whose answers give the best F1.
    """
    gold = {
        example.id: [[reading.aliases for reading in one] for one in example.gold.annotations]
        for example in examples
        if example.gold.annotations
    }
    rows = []
    for system, outcomes in systems.items():
        known = [one for one in outcomes if one.id in gold and one.answers]
        if known:
            measured = np.array([_best(gold[one.id], one.answers) for one in known])
            f1, precision, recall = 100 * measured.mean(axis=0)
            number = float(np.mean([len(one.answers) for one in known]))
            rows.append((system, len(known), f1, precision, recall, number))
    names = ["system", "questions", "F1", "precision", "recall", "answers"]
    return pd.DataFrame(rows, columns=names)


def _best(
    annotators: Sequence[Sequence[Sequence[str]]], answers: Sequence[str]
) -> tuple[float, float, float]:
    return max((set_scores(readings, answers) for readings in annotators), default=(0.0, 0.0, 0.0))


def set_scores(
    readings: Sequence[Sequence[str]], answers: Sequence[str]
) -> tuple[float, float, float]:
    """F1, precision and recall of answers against readings, each of which may be found once.

    >>> set_scores([["Ada", "Ada Lovelace"], ["Grace"]], ["ada", "bob"])
    (0.5, 0.5, 0.5)
    """
    left, found = list(readings), 0
    for answer in answers:
        hit = next((n for n, aliases in enumerate(left) if matches(aliases, answer)), None)
        if hit is not None:
            del left[hit]
            found += 1
    if not found:
        return 0.0, 0.0, 0.0
    precision, recall = found / len(answers), found / len(readings)
    return 2 * precision * recall / (precision + recall), precision, recall
