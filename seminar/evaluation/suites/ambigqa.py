"""AmbigQA: F1 of answer sets, and of disambiguated questions (Min et al., 2020)."""

from __future__ import annotations

from seminar.datasets.catalog import load
from seminar.errors import DatasetError
from seminar.evaluation.corpora import Corpus
from seminar.evaluation.files import Json
from seminar.evaluation.formats import (
    PredictionFormat,
    has_keys,
    is_text,
    is_texts,
    mapping_entries,
)
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.setup import Setup
from seminar.evaluation.suites.suite import (
    Conversion,
    OfficialFormat,
    Pairs,
    Suite,
    Table,
    dumped,
    flat_table,
)
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example, Reading
from seminar.metrics.official import ambigqa, ambigqa_questions
from seminar.types import Passage


def measure(example: Example, prediction: Prediction) -> Measures:
    """F1 of a set of answers against the best annotation."""
    answers = prediction.answers or ((prediction.answer,) if prediction.answer else ())
    annotations = example.gold.annotations
    sets = [[reading.aliases for reading in readings] for readings in annotations]
    f1 = max(ambigqa.set_f1(aliases, answers) for aliases in sets)
    several = not any(map(_is_single, annotations))
    return {"F1": f1, "F1 multi": f1} if several else {"F1": f1}


def _is_single(readings: tuple[Reading, ...]) -> bool:
    """Whether an annotator gave one answer without splitting the question into readings."""
    return len(readings) == 1 and not readings[0].question


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[questions] and {id: [answer]}."""
    scores = ambigqa.score(references, ambigqa.predictions_of(predictions), strict=strict)
    return {"f1": scores.f1, "f1_multiple": scores.f1_multiple}


def score_questions(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[questions] and {id: [{"question", "answer"}]}."""
    scores = ambigqa_questions.score(references, predictions, strict=strict)
    return flat_table({"all": scores.all, "multiple": scores.multiple})


def _are_pairs(value: Json) -> bool:
    return isinstance(value, list) and all(has_keys(pair, ("question", "answer")) for pair in value)


def _are_answers(value: Json) -> bool:
    return is_text(value) or is_texts(value)


def write(pairs: Pairs) -> str:
    return dumped(
        {prediction.id: list(prediction.answers) or [prediction.answer] for _, prediction in pairs}
    )


def read(key: str, value: Json) -> Prediction:
    return Prediction(key, answers=(value,) if is_text(value) else tuple(value))


def _references(examples: list[Example]) -> Json:
    """The official annotations, also from files that hold only sets of answers."""
    return [
        {
            "id": example.id,
            "question": example.question,
            "annotations": [*map(_annotation, example.gold.annotations)],
        }
        for example in examples
    ]


def _annotation(readings: tuple[Reading, ...]) -> Json:
    if _is_single(readings):
        return {"type": "singleAnswer", "answer": list(readings[0].aliases)}
    pairs = [
        {"question": reading.question, "answer": list(reading.aliases)} for reading in readings
    ]
    return {"type": "multipleQAs", "qaPairs": pairs}


def natural_questions(setup: Setup) -> Corpus:
    """Passages of Wikipedia that answer questions of NQ: not those that AmbigQA asks."""
    passages: dict[tuple[str, str], Passage] = {}
    for part in ("oracle", "openbook"):
        for example in _load_if_there(f"nq_gold_passages/{part}", setup):
            text, title = example.context, example.title
            passages.setdefault((title, text), Passage(example.id, 0, len(text), text, title=title))
    if not passages:
        raise DatasetError(f"{setup.name} has no passages, and nq_gold_passages is not there")
    note = (
        f"{len(passages):,} passages that answer other questions of NQ, the paper's Wikipedia not "
        "being there: F1 says little, time and memory do"
    )
    return Corpus(tuple(passages.values()), note)


def _load_if_there(name: str, setup: Setup) -> list[Example]:
    """The examples of a split, none where its file isn't there."""
    try:
        return list(load(name, setup.root))
    except DatasetError:
        return []


TASK = Task(("F1", "F1 multi"), measure)
_READ_REFERENCES = dataset_references("ambigqa", value=_references)

SUITE = Suite(
    tasks={"answers": TASK},
    formats={
        "ambigqa-questions": OfficialFormat(
            PredictionFormat(
                "AmbigQA questions",
                mapping_entries,
                _are_pairs,
                "a list of pairs of question and answer",
            ),
            _READ_REFERENCES,
            score_questions,
        ),
        "ambigqa": OfficialFormat(
            PredictionFormat(
                "AmbigQA", mapping_entries, _are_answers, "a list of answers, or one text"
            ),
            _READ_REFERENCES,
            score,
            Conversion(write, read),
        ),
    },
    corpus=natural_questions,
)
