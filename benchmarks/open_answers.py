"""End to end on SQuAD-open: questions of dev over all paragraphs of train and dev, top 10."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.corpora import squad
from benchmarks.reading_tasks import chosen
from benchmarks.results import progress
from benchmarks.retrieval import index
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.official.squad import score_v1_answer
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Reader
from seminar.retrieval.hybrid import hybrid
from seminar.settings import Settings
from seminar.types import Answer, Hit, Query

BATCH = 16
COVERAGES = tuple(range(10, 101, 10))


def open_answers(reader: Reader, work: Path, limit: int | None) -> dict[str, object]:
    """EM and F1 of the best answer, abstention at the default threshold, risk by coverage."""
    settings = Settings()
    encoder = load_encoder(settings.encoder)
    task = squad()
    retriever = hybrid(index(task, encoder, work / "squad" / encoder.name), encoder)
    answerable = chosen(load("squad/dev"), limit)
    absent = chosen((one for one in load("squad/dev-v2") if not one.gold.answerable), limit)
    answers: list[Answer | None] = []
    found = 0
    asked = [*answerable, *absent]
    for start in progress(range(0, len(asked), BATCH), "SQuAD-open"):
        batch = asked[start : start + BATCH]
        queries = [Query(one.question, one.question) for one in batch]
        hits = retriever.search(queries, settings.hits)
        found += sum(_has_own(*pair) for pair in zip(batch, hits, strict=True))
        answers += [ranked[0] if ranked else None for ranked in reader.read(queries, hits)]
    told = np.array([one.score if one else 0.0 for one in answers])
    here = np.arange(len(asked)) < len(answerable)
    exact, f1 = _scores(asked, answers)
    return {
        "paragraphs": len(task.passages),
        "answerable": len(answerable),
        "unanswerable": len(absent),
        "own paragraph among the hits": _percent(found / len(asked)),
        "EM": _percent(exact[here].mean()),
        "F1": _percent(f1[here].mean()),
        "threshold": settings.threshold,
        "at the threshold": _at(settings.threshold, told, exact, f1, here),
        "F1 by coverage, answerable": _by_coverage(told[here], f1[here]),
        "F1 by coverage, with unanswerable": _by_coverage(told, f1),
    }


def _has_own(example: Example, hits: Sequence[Hit]) -> bool:
    return any(hit.passage.text == example.context for hit in hits)


def _scores(
    asked: Sequence[Example], answers: Sequence[Answer | None]
) -> tuple[np.ndarray, np.ndarray]:
    """EM and F1 of each answer told; what is said to an unanswerable question is wrong."""
    exact, f1 = np.zeros(len(asked)), np.zeros(len(asked))
    for at, (example, answer) in enumerate(zip(asked, answers, strict=True)):
        if answer and example.gold.answerable:
            made = score_v1_answer(answer.span.text, example.gold.answers)
            exact[at], f1[at] = made.exact, made.f1
    return exact, f1


def _at(
    threshold: float, told: np.ndarray, exact: np.ndarray, f1: np.ndarray, here: np.ndarray
) -> dict[str, float]:
    given = told >= threshold
    return {
        "answered, of the answerable": _percent(given[here].mean()),
        "F1 where answered": _percent(f1[here & given].mean()) if (here & given).any() else 0.0,
        "EM where answered": _percent(exact[here & given].mean()) if (here & given).any() else 0.0,
        "abstained, of the unanswerable": _percent(1 - given[~here].mean()),
    }


def _by_coverage(told: np.ndarray, f1: np.ndarray) -> dict[str, float]:
    """Mean F1 of the most probable answers, for each share of the questions."""
    order = np.argsort(-told, kind="stable")
    return {
        f"{share}%": _percent(f1[order[: max(1, len(order) * share // 100)]].mean())
        for share in COVERAGES
    }


def _percent(share: float) -> float:
    return round(100 * float(share), 2)
