"""Prediction files as outcomes: each answer with its score by the official measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from seminar.analysis.outcomes import Outcome
from seminar.datasets.files import read_json_lines
from seminar.errors import ScoringError
from seminar.evaluation.prediction_files import file_system
from seminar.evaluation.predictions import Timed, from_record
from seminar.evaluation.runs import PREDICTIONS
from seminar.evaluation.setup import Setup
from seminar.evaluation.suites.catalog import find_task
from seminar.evaluation.tasks import Task
from seminar.examples import Example

MAIN = "F1"  # the measure that is shown, where a task has it


@dataclass(frozen=True, slots=True)
class Scored:
    """The outcomes of a system, and the measure by which they are scored."""

    measure: str
    outcomes: Sequence[Outcome]


def read_outcomes(path: Path, name: str, examples: Sequence[Example]) -> Scored:
    """The outcomes of a run's folder, of its predictions.jsonl, or of a file in official form.

    A run may have predicted a part of the split; an official file must have all of it. Questions
    for which the official measure does not count are left out.
    """
    timed, kind = _predictions(path, name, examples)
    task = find_task(name, kind)
    by_id = {example.id: example for example in examples}
    pairs = [(by_id[one.prediction.id], one) for one in timed if one.prediction.id in by_id]
    if not pairs:
        raise ScoringError(
            f"{path}: none of its {len(timed):,} predictions is for a question of {name}"
        )
    measure = MAIN if MAIN in task.columns else task.columns[0]
    outcomes = (_outcome(task, measure, example, one) for example, one in pairs)
    return Scored(measure, [one for one in outcomes if one is not None])


def _predictions(path: Path, name: str, examples: Sequence[Example]) -> tuple[Sequence[Timed], str]:
    file = path / PREDICTIONS if path.is_dir() else path
    if path.is_dir() or file.name.endswith((".jsonl", ".jsonl.gz")):
        records = list(read_json_lines(file))
        if records and all(record.has("id") for record in records[:1]):
            timed = [from_record(record) for record in records]
            ranked = any(one.prediction.ranking for one in timed)
            return timed, "retrieval" if ranked else "answers"
    with TemporaryDirectory() as scratch:
        system = file_system(file, Setup(name, examples, Path(scratch)))
    return [Timed(prediction) for prediction in system.predict(examples)], system.kind


def _outcome(task: Task, measure: str, example: Example, timed: Timed) -> Outcome | None:
    prediction = timed.prediction
    measures = dict(prediction.measures) or task.measure(example, prediction)
    if measure not in measures:
        return None
    sure = prediction.score
    return Outcome(
        id=example.id,
        answer=prediction.answer or ", ".join(prediction.answers),
        score=measures[measure],
        answers=prediction.answers,
        confidence=sure if sure is not None and 0 <= sure <= 1 else None,
        seconds=timed.seconds,
        megabytes=timed.megabytes,
    )
