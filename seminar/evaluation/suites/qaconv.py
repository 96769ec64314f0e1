"""QAConv: exact match, F1 and fuzzy ratio, and recall of the gold chunk (Wu et al., 2022)."""

from __future__ import annotations

from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, is_scores, is_text, mapping_entries
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.references import dataset_references
from seminar.evaluation.suites.suite import (
    Conversion,
    OfficialFormat,
    Pairs,
    Suite,
    Table,
    dumped,
    write_answers,
)
from seminar.evaluation.tasks import Measures, Task, recall_at
from seminar.examples import Example
from seminar.metrics.official import qaconv


def measure(example: Example, prediction: Prediction) -> Measures:
    """Exact match, F1 and FZ-R, and the parts of them by answerability (table 9 of the paper)."""
    result = qaconv.score_answer(prediction.answer, qaconv.gold_answers(example.gold.answers))
    measures = {"EM": result.exact, "F1": result.f1, "FZ-R": result.fzr / 100}
    if example.gold.answerable:
        return measures | {"EM answerable": result.exact, "F1 answerable": result.f1}
    return measures | {"recall unanswerable": result.exact}


def measure_recall(example: Example, prediction: Prediction) -> Measures:
    """Whether the gold chunk is among the first k (full mode)."""
    gold = {evidence.source for evidence in example.gold.evidence}
    if not gold:  # no segment could be identified as the chunk
        return {}
    return recall_at(qaconv.CUTOFFS, [ranked.id in gold for ranked in prediction.ranking])


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"id", "answers"}] and {id: answer}; FZ-R on difflib, as the official requirements give."""
    return qaconv.score(references, predictions, strict=strict)


def score_recall(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"id", "article_segment_id"}] and {id: {segment: score}}; misses counted as `fair` too."""
    official = qaconv.score_recall(references, predictions, strict=strict)
    fair = qaconv.score_recall(references, predictions, count_misses=True, strict=strict)
    return official | {f"fair {name}": value for name, value in fair.items()}


def write_rankings(pairs: Pairs) -> str:
    return dumped(
        {
            prediction.id: {ranked.id: ranked.score for ranked in prediction.ranking}
            for _, prediction in pairs
        }
    )


def read_ranking(key: str, scores: Json) -> Prediction:
    best = sorted(scores, key=scores.__getitem__)[::-1]  # of equal ones the last, as officially
    return Prediction(key, ranking=tuple(Ranked(segment, scores[segment]) for segment in best))


_RECALL = Task(tuple(f"R@{k}" for k in qaconv.CUTOFFS), measure_recall, scale=1.0, decimals=3)

SUITE = Suite(
    tasks={
        "answers": Task(
            ("EM", "F1", "FZ-R", "EM answerable", "F1 answerable", "recall unanswerable"),
            measure,
            no_answer=qaconv.UNANSWERABLE,
        ),
        "retrieval": _RECALL,
        # The same measure against located chunks, which no figure of the paper compares with.
        "located chunks": _RECALL,
    },
    formats={
        "qaconv": OfficialFormat(
            PredictionFormat("QAConv", mapping_entries, is_text, "the text of an answer"),
            dataset_references("qaconv"),
            score,
            Conversion(write_answers, Prediction),
        ),
        "qaconv-recall": OfficialFormat(
            PredictionFormat(
                "QAConv ranking", mapping_entries, is_scores, "finite numbers by segment"
            ),
            dataset_references("qaconv"),
            score_recall,
            Conversion(write_rankings, read_ranking, kind="retrieval"),
        ),
    },
)
