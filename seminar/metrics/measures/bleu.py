"""BLEU (Papineni et al., 2002) by sacreBLEU, with its defaults: 13a, cased, exp smoothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.errors import ScoringError
from seminar.metrics.extras import require
from seminar.metrics.strictness import fault


@dataclass(frozen=True, slots=True)
class Bleu:
    """Corpus BLEU in percent and what it is made of; the signature makes it repeatable."""

    score: float
    precisions: tuple[float, ...]
    brevity_penalty: float
    system_length: int
    reference_length: int
    counts: tuple[int, ...]
    totals: tuple[int, ...]
    signature: str


def corpus_bleu(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    lowercase: bool = False,
    strict: bool = False,
) -> Bleu:
    """BLEU of a corpus; `references` are streams, each with one reference for every prediction."""
    if not predictions:
        raise fault(IndexError, "no predictions to score", strict=strict)
    uneven = [len(stream) for stream in references if len(stream) != len(predictions)]
    if uneven and not strict:
        raise ScoringError(f"{len(predictions)} predictions but {uneven[0]} references in a stream")
    metric = require("sacrebleu.metrics").BLEU(lowercase=lowercase)
    result = metric.corpus_score(list(predictions), [list(stream) for stream in references])
    return Bleu(
        score=result.score,
        precisions=tuple(result.precisions),
        brevity_penalty=result.bp,
        system_length=result.sys_len,
        reference_length=result.ref_len,
        counts=tuple(result.counts),
        totals=tuple(result.totals),
        signature=str(metric.get_signature()),
    )


def sentence_bleus(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """BLEU of each sentence, in percent, over the orders that it is long enough for."""
    metric = require("sacrebleu.metrics").BLEU(effective_order=True)
    by_sentence = zip(*references, strict=True)
    return [
        metric.sentence_score(prediction, list(own)).score
        for prediction, own in zip(predictions, by_sentence, strict=True)
    ]
