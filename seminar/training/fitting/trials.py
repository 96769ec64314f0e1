"""Trials of a scorer: candidates for each question, and weights fitted to choose the right one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seminar.assembly import create_index
from seminar.io import write_atomic
from seminar.logistic import Floats, fit_logistic
from seminar.protocols import Encoder, Retriever
from seminar.retrieval.file_index import FileIndex
from seminar.retrieval.hybrid import hybrid
from seminar.types import Passage

HITS = 10
HIDDEN_DEPTH = 60  # deep enough that hits remain when an article's own paragraphs are taken out


@dataclass(frozen=True, slots=True)
class Trial:
    """A question, the features of its candidates, and which of them are right."""

    kind: str
    features: Floats  # (candidates, features)
    right: NDArray[np.bool_]  # (candidates,)


def fill_index(passages: Sequence[Passage], folder: Path, encoder: Encoder) -> FileIndex:
    """A new index of some passages."""
    index = create_index(folder, encoder)
    index.add(passages, encoder.encode([passage.searched for passage in passages]))
    return index


def index_passages(passages: Sequence[Passage], folder: Path, encoder: Encoder) -> Retriever:
    """The default retriever over some passages."""
    return hybrid(fill_index(passages, folder, encoder), encoder)


def calibrated(trials: Sequence[Trial]) -> Floats:
    """Weights that rank candidates, scaled so that the best one's probability is calibrated."""
    ranking = fit_logistic(
        np.concatenate([trial.features for trial in trials]),
        np.concatenate([trial.right for trial in trials]).astype(float),
    )
    best, right = best_of(trials, ranking)
    table = np.stack([best, np.ones_like(best)], axis=1)
    slope, shift = fit_logistic(table, right, penalty=0.01)
    scaled = slope * ranking
    scaled[0] += shift  # the first feature is the bias
    return np.asarray(scaled)


def best_of(trials: Sequence[Trial], weights: Floats) -> tuple[Floats, Floats]:
    """The best candidate's log odds in each trial, and whether it is right."""
    scores = [trial.features @ weights for trial in trials]
    best = [int(score.argmax()) for score in scores]
    return (
        np.array([score[at] for score, at in zip(scores, best, strict=True)]),
        np.array([float(trial.right[at]) for trial, at in zip(trials, best, strict=True)]),
    )


def write_fit(
    folder: Path, weights: Mapping[str, float], scores: Mapping[str, object] | None = None
) -> None:
    """Write a fit's weights.json and, where it has scores, scores.json."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "weights.json", weights)
    if scores is not None:
        write_json(folder / "scores.json", scores)


def write_json(path: Path, content: object) -> None:
    """Write a small JSON file, whole or not at all."""
    write_atomic(path, json.dumps(content, indent=1).encode() + b"\n")
