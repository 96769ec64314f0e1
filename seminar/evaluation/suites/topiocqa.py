"""TopiOCQA: exact match and F1 of answers, top-k accuracy of passages (Adlakha et al., 2022)."""

from __future__ import annotations

from seminar.datasets.dialogues.topiocqa import UNANSWERABLE
from seminar.errors import ScoringError
from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, has_keys, is_texts, keyed_entries
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import EXACT_AND_F1, Measures, Task, measure_turn, recall_at
from seminar.examples import Example
from seminar.metrics.official import topiocqa

KEYS = ("conv_id", "turn_id")
CUTOFFS = (20, 100)


def measure_ranking(example: Example, prediction: Prediction) -> Measures:
    """Whether the gold passage is among the first 20 and the first 100, compared by its text."""
    if not example.gold.evidence:
        raise ScoringError(f"turn '{example.id}' has no gold passage: retrieval can't be scored")
    gold = example.gold.evidence[0]
    relevant = [(one.title, one.text) == (gold.title, gold.text) for one in prediction.ranking]
    return recall_at(CUTOFFS, relevant, name="Top-")


def score_reader(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[turns] and [{"conv_id", "turn_id", "predictions": [text]}]."""
    scores = topiocqa.score_reader(references, predictions, strict=strict)
    return {"em": scores["em"], "f1": scores["f1"], "turns": scores["turns"]}


def score_retriever(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"conv_id", "turn_id", "positive_ctxs"}] and [{"conv_id", "turn_id", "ctxs"}]."""
    return topiocqa.score_retriever(references, predictions, strict=strict)


def _are_answers(value: Json) -> bool:
    return is_texts(value) and bool(value)


def _are_contexts(value: Json) -> bool:
    return isinstance(value, list) and all(has_keys(one, ("title", "text")) for one in value)


def write_answers(pairs: Pairs) -> str:
    return dumped(
        [_turn(example) | {"predictions": [prediction.answer]} for example, prediction in pairs]
    )


def read_answer(key: str, answers: Json) -> Prediction:
    return Prediction(key, answers[0])


def write_rankings(pairs: Pairs) -> str:
    return dumped(
        [
            _turn(example)
            | {
                "ctxs": [
                    {"id": one.id, "title": one.title, "text": one.text}
                    for one in prediction.ranking
                ]
            }
            for example, prediction in pairs
        ]
    )


def _turn(example: Example) -> dict[str, Json]:
    return {"conv_id": example.dialogue_id, "turn_id": str(example.turn)}


def read_ranking(key: str, contexts: Json) -> Prediction:
    return Prediction(key, ranking=ranked_contexts(contexts))


def ranked_contexts(contexts: list[dict[str, str]]) -> tuple[Ranked, ...]:
    """The passages of an official result file, best first, scored by their rank."""
    return tuple(
        Ranked(one.get("id", ""), 1 / rank, one["title"], one["text"])
        for rank, one in enumerate(contexts, start=1)
    )


SUITE = Suite(
    tasks={
        "answers": Task(EXACT_AND_F1, measure_turn, no_answer=UNANSWERABLE),
        "retrieval": Task(tuple(f"Top-{k}" for k in CUTOFFS), measure_ranking),
    },
    formats={
        "topiocqa-reader": OfficialFormat(
            PredictionFormat(
                "TopiOCQA",
                keyed_entries(KEYS, "predictions", "_"),
                _are_answers,
                "a list of texts, one or more, under predictions",
            ),
            dataset_references("topiocqa"),
            score_reader,
            Conversion(write_answers, read_answer),
        ),
        "topiocqa-retriever": OfficialFormat(
            PredictionFormat(
                "TopiOCQA retrieval",
                keyed_entries(KEYS, "ctxs", "_"),
                _are_contexts,
                "passages with title and text under ctxs",
            ),
            dataset_references("topiocqa", split="topiocqa/dev-original"),
            score_retriever,
            Conversion(write_rankings, read_ranking, kind="retrieval"),
        ),
    },
)
