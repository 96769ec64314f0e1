"""CoQA: exact match and F1 by domain (Reddy et al., 2019)."""

from __future__ import annotations

from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, is_text, keyed_entries
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import (
    Conversion,
    OfficialFormat,
    Pairs,
    Suite,
    Table,
    dumped,
    flat_table,
)
from seminar.evaluation.tasks import EXACT_AND_F1, Task, measure_turn
from seminar.metrics.official import coqa


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": stories} and [{"id", "turn_id", "answer"}]."""
    domains = coqa.score(references["data"], predictions, strict=strict)
    return flat_table({domain: dict(scores) for domain, scores in domains.items()})


def write(pairs: Pairs) -> str:
    return dumped(
        [
            {"id": example.dialogue_id, "turn_id": example.turn, "answer": prediction.answer}
            for example, prediction in pairs
        ]
    )


SUITE = Suite(
    tasks={"answers": Task(EXACT_AND_F1, measure_turn, no_answer="unknown")},
    formats={
        "coqa": OfficialFormat(
            PredictionFormat(
                "CoQA",
                keyed_entries(("id", "turn_id"), "answer", "#"),
                is_text,
                "a text under answer",
            ),
            dataset_references("coqa"),
            score,
            Conversion(write, Prediction),
        )
    },
)
