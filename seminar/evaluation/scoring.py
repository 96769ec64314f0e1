"""Scores of predictions: the mean of each measure and its interval, dialogs drawn whole."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.evaluation.predictions import Prediction
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example
from seminar.metrics.statistics import Interval, bootstrap_interval

ROUNDS = 2_000  # resamplings; the ends of an interval move by a few hundredths of its width


def score(
    task: Task, examples: Sequence[Example], predictions: Sequence[Prediction], *, seed: int = 0
) -> dict[str, Interval]:
    """The scores by column, in the task's scale; a column that nothing counts for is left out."""
    measures = [
        dict(prediction.measures) or task.measure(example, prediction)
        for example, prediction in zip(examples, predictions, strict=True)
    ]
    dialogs = [example.dialogue_id for example in examples]
    scores: dict[str, Interval] = {}
    for column in task.columns:
        if column in task.dialogs:
            values, names = _whole_dialogs(task.dialogs[column], measures, dialogs)
        else:
            counted = [at for at, values in enumerate(measures) if column in values]
            values = [measures[at][column] for at in counted]
            names = [dialogs[at] for at in counted]
        if values:
            interval = bootstrap_interval(values, names, rounds=ROUNDS, seed=seed)
            scores[column] = _scaled(interval, task.scale)
    return scores


def _whole_dialogs(
    column: str, measures: Sequence[Measures], dialogs: Sequence[str]
) -> tuple[list[float], list[str]]:
    """Of each dialog, whether the measure is full on every question that it counts for."""
    full: dict[str, bool] = {}
    for values, dialog in zip(measures, dialogs, strict=True):
        full[dialog] = full.get(dialog, True) and values.get(column, 1.0) == 1.0
    return [float(good) for good in full.values()], list(full)


def _scaled(interval: Interval, scale: float) -> Interval:
    return Interval(interval.mean * scale, interval.low * scale, interval.high * scale)
