"""QuAC: F1, human equivalence, dialog acts, and the paper's baselines (Choi et al., 2018)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import groupby
from typing import Protocol

from seminar.baselines.quac import (
    gold_sentence,
    gold_unanswerable,
    human,
    majority,
    random_sentence,
)
from seminar.baselines.regression import SentenceRegression
from seminar.baselines.similarity import SentenceSimilarity
from seminar.baselines.transitions import TransitionMatrix
from seminar.datasets.catalog import load
from seminar.datasets.dialogues.quac import AFFIRMATIONS, CONTINUATIONS
from seminar.errors import DatasetError
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
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example
from seminar.metrics.official import quac
from seminar.metrics.official.quac import QuacPrediction
from seminar.models.encoders.registry import load_encoder

QuacPredictor = Callable[[Sequence[Example]], list[QuacPrediction]]

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
            [prediction.id for prediction in predictions],
            [prediction.answer for prediction in predictions],
            [prediction.yesno for prediction in predictions],
            [prediction.followup for prediction in predictions],
        )
        lines.append(dumped(dict(zip(COLUMNS, values, strict=True))))
    return "\n".join(lines)


def read(key: str, value: Json) -> Prediction:
    answer, yesno, followup = value
    return Prediction(key, answer, yesno=yesno, followup=followup)


class Fitted(Protocol):
    """A fitted baseline."""

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]: ...


def quac_system(predict: QuacPredictor, note: str = "", material: str = "") -> System:
    """The system of a predictor in QuAC's form."""

    def predictions(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, answer.text, yesno=answer.yesno, followup=answer.followup)
            for example, answer in zip(examples, predict(examples), strict=True)
        ]

    return System(predictions, note=note, material=material)


def _similarity(setup: Setup) -> System:
    model = SentenceSimilarity(load_encoder(setup.settings.encoder))
    return quac_system(model.predict, note=f"encoder {setup.settings.encoder}")


def _gold_na_tm(setup: Setup) -> System:
    predict, note, material = _fit(setup, TransitionMatrix.fit)
    return quac_system(
        lambda examples: gold_unanswerable(examples, predict(examples)), note, material
    )


def _fit(
    setup: Setup, fit: Callable[[Iterable[Example]], Fitted]
) -> tuple[QuacPredictor, str, str]:
    """Fit on QuAC's training set; without it, on the half of the dialogs that isn't predicted.

    With the predictor come its note and the fingerprint of what it was fitted on.
    """
    try:
        fitted = fit(load("quac/train", setup.root))
        return fitted.predict, "fitted on quac/train", digest(load("quac/train", setup.root))
    except DatasetError:
        halves = _halves(setup.examples)
    other = {
        side: fit([example for example in setup.examples if halves[example.dialogue_id] != side])
        for side in (0, 1)
    }

    def predict(examples: Sequence[Example]) -> list[QuacPrediction]:
        return [other[halves[example.dialogue_id]].predict([example])[0] for example in examples]

    note = f"fitted on the other half of the dialogs of {setup.name}"
    return predict, note, digest(setup.examples)


def _halves(examples: Sequence[Example]) -> dict[str, int]:
    """Each dialog's half, every second one in the second."""
    dialogs = dict.fromkeys(example.dialogue_id for example in examples)
    return {dialog: number % 2 for number, dialog in enumerate(dialogs)}


def _human(setup: Setup) -> System:
    def predict(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, measures=_human_measures(f1))
            for example, f1 in zip(examples, human(examples), strict=True)
        ]

    return System(predict, note="each reference against the others; one reference alone counts 1")


def _human_measures(f1: float) -> tuple[tuple[str, float], ...]:
    if f1 < quac.MINIMUM_HUMAN_F1:
        return (("F1 all", f1),)
    return ("F1 all", f1), ("F1", f1), ("HEQ-Q", 1.0)


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
    systems={
        "random-sentence": lambda setup: quac_system(partial(random_sentence, seed=setup.seed)),
        "majority": lambda setup: quac_system(majority),
        "transition-matrix": lambda setup: quac_system(*_fit(setup, TransitionMatrix.fit)),
        "gold-na-tm": _gold_na_tm,
        "gold-sentence": lambda setup: quac_system(gold_sentence),
        "human": _human,
        "similarity": _similarity,
        "regression": lambda setup: quac_system(*_fit(setup, SentenceRegression.fit)),
    },
)
