"""NQ-open: exact match with any reference (Lee et al., 2019)."""

from __future__ import annotations

from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, is_text, keyed_entries
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example
from seminar.metrics.official import nq_open


def measure(example: Example, prediction: Prediction) -> Measures:
    """Exact match with any reference."""
    return {"EM": float(nq_open.exact_match(prediction.answer, example.gold.answers))}


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"question", "answer": [text]}] and [{"question", "prediction"}]."""
    answers = {record["question"]: record["answer"] for record in references}
    predicted = {record["question"]: record["prediction"] for record in predictions}
    scores = nq_open.score(answers, predicted, strict=strict)
    return {"accuracy": scores.accuracy, "missing": scores.missing, "total": scores.total}


def write(pairs: Pairs) -> str:
    return "\n".join(
        dumped({"question": example.question, "prediction": prediction.answer})
        for example, prediction in pairs
    )


def _question(example: Example) -> str:
    return example.question


def _references(examples: list[Example]) -> Json:
    return [
        {"question": example.question, "answer": list(example.gold.answers)} for example in examples
    ]


TASK = Task(("EM",), measure)

SUITE = Suite(
    tasks={"answers": TASK},
    formats={
        "nq-open": OfficialFormat(
            PredictionFormat(
                "NQ-open",
                keyed_entries(("question",), "prediction", ""),
                is_text,
                "a text under prediction",
                lines=True,
            ),
            dataset_references("nq_open", key=_question, value=_references),
            score,
            Conversion(write, Prediction, key=_question),
        )
    },
)
