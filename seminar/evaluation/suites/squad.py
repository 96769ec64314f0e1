"""SQuAD 1.1 and 2.0: exact match and F1 (Rajpurkar et al., 2016, 2018)."""

from __future__ import annotations

from dataclasses import replace

from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, is_text, mapping_entries
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Suite, Table, write_answers
from seminar.evaluation.tasks import EXACT_AND_F1, Measures, Task, exact_and_f1
from seminar.examples import Example
from seminar.metrics.official import squad


def measure_v1(example: Example, prediction: Prediction) -> Measures:
    """Exact match and F1 of the best reference; a question without one can't be scored."""
    return exact_and_f1(squad.score_v1_answer(prediction.answer, example.gold.answers))


def measure_v2(example: Example, prediction: Prediction) -> Measures:
    """Exact match and F1 of the best reference, no answer being right where there is none."""
    return exact_and_f1(squad.score_v2_answer(prediction.answer, example.gold.answers))


def score_v1(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and {id: answer}."""
    return squad.score_v1(references["data"], predictions, strict=strict)


def score_v2(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and {id: answer}."""
    return squad.score_v2(references["data"], predictions, strict=strict)


TASK_V2 = Task(EXACT_AND_F1, measure_v2)

_FORMAT_V1 = OfficialFormat(
    PredictionFormat("SQuAD", mapping_entries, is_text, "the text of an answer"),
    dataset_references("squad"),
    score_v1,
    Conversion(write_answers, Prediction),
)
_V2 = Suite({"answers": TASK_V2}, {"squad-v2": replace(_FORMAT_V1, score=score_v2)})

SUITE = Suite(
    tasks={"answers": Task(EXACT_AND_F1, measure_v1)},
    formats={"squad-v1": _FORMAT_V1},
    splits=dict.fromkeys(("dev-v2", "train-v2", "train-v2-unanswerable"), _V2),
)
