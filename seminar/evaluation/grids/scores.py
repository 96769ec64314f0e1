"""The scores of a grid's row: means with intervals, and figures that are no means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seminar.evaluation.predictions import Timed
from seminar.evaluation.scoring import ROUNDS, score
from seminar.evaluation.tasks import Task
from seminar.examples import Example
from seminar.metrics.measures.bartscore import ConditionalScorer, symmetric_bartscore
from seminar.metrics.measures.normalisation import normalise
from seminar.metrics.official import qaconv
from seminar.metrics.statistics import Interval, bootstrap_interval


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores with intervals, and figures that have none, by column."""

    scores: dict[str, Interval]
    figures: dict[str, float]


def scored(
    columns: Sequence[str],
    task: Task,
    outcomes: Sequence[tuple[Example, Timed]],
    *,
    parameters: int | None = None,
    judge: ConditionalScorer | None = None,
    seed: int = 0,
) -> Scored:
    """The cells of a row for the columns that its task has; a judge fills "Q"."""
    own = replace(task, columns=tuple(name for name in task.columns if name in columns))
    examples = [example for example, _ in outcomes]
    timed = [run for _, run in outcomes]
    scores = score(own, examples, [run.prediction for run in timed], seed=seed)
    if judge:
        scores["Q"] = _quality(examples, timed, judge, seed)
    figures = {
        column: figure(examples, timed) for column, figure in FIGURES.items() if column in columns
    }
    if parameters is not None and "parameters M" in columns:
        figures["parameters M"] = parameters / 1e6
    return Scored(scores, {name: value for name, value in figures.items() if value is not None})


def _quality(
    examples: Sequence[Example], timed: Sequence[Timed], judge: ConditionalScorer, seed: int
) -> Interval:
    """BARTScore of the answers against the teachers', both ways (PragmatiCQA, 4.1)."""
    answers = [run.prediction.answer for run in timed]
    references = [example.gold.answers[0] for example in examples]
    values = symmetric_bartscore(answers, references, judge)
    dialogs = [example.dialogue_id for example in examples]
    return bootstrap_interval(values, dialogs, rounds=ROUNDS, seed=seed)


def _binary_f1(examples: Sequence[Example], timed: Sequence[Timed]) -> float:
    """F1 of saying 'unanswerable' where that is so, as QAConv's own program counts it."""
    gold = (map(normalise, qaconv.gold_answers(example.gold.answers)) for example in examples)
    answers = (normalise(run.prediction.answer) for run in timed)
    return 100 * qaconv.binary_f1(
        (qaconv.UNANSWERABLE in references, answer == qaconv.UNANSWERABLE)
        for references, answer in zip(gold, answers, strict=True)
    )


def _seconds(examples: Sequence[Example], timed: Sequence[Timed]) -> float | None:
    taken = [run.seconds for run in timed if run.seconds is not None]
    return sum(taken) / len(taken) if taken else None


def _gigabytes(examples: Sequence[Example], timed: Sequence[Timed]) -> float | None:
    peaks = [run.megabytes for run in timed if run.megabytes is not None]
    return max(peaks) / 1024 if peaks else None


FIGURES: dict[str, Callable[[Sequence[Example], Sequence[Timed]], float | None]] = {
    "binary F1": _binary_f1,
    "seconds": _seconds,
    "memory GB": _gigabytes,
}
