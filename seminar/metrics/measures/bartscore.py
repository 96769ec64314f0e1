"""BARTScore both ways (Yuan et al., 2021), PragmatiCQA's answer quality, by any seq2seq model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from seminar.errors import ScoringError

MAX_LENGTH = 1024


class ConditionalScorer(Protocol):
    """Sources and targets to the mean log probability of each target's tokens, given its source.

    BART's own: facebook/bart-large-cnn, texts cut at 1024 tokens, the start and end tokens
    counted, natural logarithm.
    """

    def __call__(self, sources: Sequence[str], targets: Sequence[str]) -> Sequence[float]: ...


def mean_log_probability(
    logits: ArrayLike,
    target_ids: Sequence[int],
    *,
    pad_id: int,
    max_length: int = MAX_LENGTH,
) -> float:
    """The mean log probability of target tokens under a decoder's logits, one row a token.

    Padding adds nothing and isn't counted; a target that is too long is cut before its end token.
    What a `ConditionalScorer` does with a model's output.
    """
    rows = np.asarray(logits, dtype=np.float32)  # (tokens, vocabulary)
    if rows.ndim != 2 or len(rows) != len(target_ids):
        raise ScoringError(f"logits of shape {rows.shape} don't fit {len(target_ids)} tokens")
    ids = np.asarray(target_ids)
    if len(ids) > max_length:
        rows, ids = rows[:max_length], np.append(ids[: max_length - 1], ids[-1])
    real = ids != pad_id
    if not real.any():
        raise ScoringError("a target of nothing but padding has no probability")
    highest = rows.max(axis=1, keepdims=True)
    totals = highest[:, 0] + np.log(np.exp(rows - highest).sum(axis=1))
    chosen = rows[np.arange(len(ids)), ids] - totals
    return float(chosen[real].mean())


def symmetric_bartscore(
    predictions: Sequence[str], references: Sequence[str], scorer: ConditionalScorer
) -> list[float]:
    """The mean of both directions for each pair: prediction to reference, reference to prediction.

    Values are negative; larger is better.
    """
    if len(predictions) != len(references):
        raise ScoringError(
            f"{len(predictions)} predictions and {len(references)} references don't go together"
        )
    there = scorer(predictions, references)
    back = scorer(references, predictions)
    return [(forward + backward) / 2 for forward, backward in zip(there, back, strict=True)]
