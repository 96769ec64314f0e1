"""QuAC: F1, human equivalence and dialog acts (Choi et al., 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

from seminar.datasets.dialogues.quac import AFFIRMATIONS, CONTINUATIONS
from seminar.evaluation.files import Json
from seminar.evaluation.formats import (
    Entry,
    MisshapenError,
    PredictionFormat,
    has_keys,
    is_text,
    listed,
)
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example
from seminar.metrics.official import quac

COLUMNS = ("qid", "best_span_str", "yesno", "followup")


def measure(example: Example, prediction: Prediction) -> Measures:
    """F1 and human equivalence; where people disagree only the unfiltered F1 counts."""
    references = quac.resolve_cannot_answer(example.gold.answers)
    human = quac.human_f1(references)
    f1 = quac.answer_f1(prediction.answer, references)
    measures = {"F1 all": f1}
    if human < quac.MINIMUM_HUMAN_F1:
        return measures
    measures |= {"F1": f1, "HEQ-Q": float(f1 >= human)}
    gold = example.gold
    if prediction.yesno and gold.affirmation:
        measures["yes/no"] = float(AFFIRMATIONS.get(prediction.yesno) == gold.affirmation)
    if prediction.followup and gold.continuation:
        measures["follow-up"] = float(CONTINUATIONS.get(prediction.followup) == gold.continuation)
    return measures


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and [{"qid": [], "best_span_str": [], "yesno": [], "followup": []}]."""
    by_dialog = quac.predictions_of(predictions, strict=strict)
    return asdict(quac.score(references["data"], by_dialog, strict=strict))


def entries(parsed: Json) -> Iterator[Entry]:
    """Lines of parallel lists; a file of one line reads as one object."""
    for number, line in enumerate([parsed] if isinstance(parsed, dict) else listed(parsed), 1):
        if not has_keys(line, COLUMNS, list):
            raise MisshapenError(f"line {number}: expected lists under {', '.join(COLUMNS)}")
        if len({len(line[column]) for column in COLUMNS}) > 1:
            lengths = ", ".join(f"{len(line[column])} {column}" for column in COLUMNS)
            raise MisshapenError(f"line {number}: its lists are of unlike length ({lengths})")
        for key, *values in zip(*(line[column] for column in COLUMNS), strict=True):
            yield str(key), tuple(values)


def _are_texts(value: Json) -> bool:
    return isinstance(value, tuple) and all(map(is_text, value))


def write(pairs: Pairs) -> str:
    """One line a dialog."""
    lines = []
    for _, dialog in groupby(pairs, key=lambda pair: pair[0].dialogue_id):
        predictions = [prediction for _, prediction in dialog]
        values = (
            [one.id for one in predictions],
            [one.answer for one in predictions],
            [one.yesno for one in predictions],
            [one.followup for one in predictions],
        )
        lines.append(dumped(dict(zip(COLUMNS, values, strict=True))))
    return "\n".join(lines)


def read(key: str, value: Json) -> Prediction:
    answer, yesno, followup = value
    return Prediction(key, answer, yesno=yesno, followup=followup)


SUITE = Suite(
    tasks={
        "answers": Task(
            ("F1", "HEQ-Q", "HEQ-D", "F1 all", "yes/no", "follow-up"),
            measure,
            no_answer=quac.CANNOT_ANSWER,
            dialogs={"HEQ-D": "HEQ-Q"},
        )
    },
    formats={
        "quac": OfficialFormat(
            PredictionFormat(
                "QuAC",
                entries,
                _are_texts,
                "texts under best_span_str, yesno and followup",
                lines=True,
            ),
            dataset_references("quac"),
            score,
            Conversion(write, read),
        )
    },
)
