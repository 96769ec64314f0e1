"""PragmatiCQA: F1 of literal and pragmatic spans (Qi et al., 2023)."""

from __future__ import annotations

from collections.abc import Mapping

from seminar.datasets.dialogues.pragmaticqa import UNKNOWN, community_passages, page_failed
from seminar.evaluation.corpora import Corpus
from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, has_keys, is_texts, mapping_entries
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.references import dataset_references
from seminar.evaluation.setup import Setup
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example
from seminar.metrics.official import pragmaticqa


def measure(example: Example, prediction: Prediction) -> Measures:
    """F1 of the literal spans, and of what the pragmatic ones add."""
    gold = pragmaticqa.Spans(**_gold_spans(example))
    spans = pragmaticqa.Spans(**_spans(prediction))
    return {
        "F1-lit": pragmaticqa.literal_f1(spans, gold),
        "F1-prag": pragmaticqa.pragmatic_f1(spans, gold),
    }


def measure_with_recall(example: Example, prediction: Prediction) -> Measures:
    """F1 of both kinds of spans, and whether the k passages that were read hold the gold blocks."""
    measures = measure(example, prediction)
    spans = example.gold.literal + example.gold.pragmatic
    gold = [f"{example.sources[0]}/{span.elements[0]}" for span in spans if span.elements]
    if not gold:
        return measures
    ranking = [ranked.id for ranked in prediction.ranking]
    return measures | {
        "R@k": pragmaticqa.recall_any(gold, ranking, k=len(ranking)),
        "R-All@k": pragmaticqa.recall_all(gold, ranking, k=len(ranking)),
    }


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{id: {"literal": [span], "pragmatic": [span]}}, both; a missing prediction is empty."""
    nothing: Mapping[str, list[str]] = {"literal": [], "pragmatic": []}
    pairs = (
        (pragmaticqa.Spans(**predictions.get(key, nothing)), pragmaticqa.Spans(**gold))
        for key, gold in references.items()
    )
    scores = pragmaticqa.score(pairs)
    return {"f1_literal": scores.literal, "f1_pragmatic": scores.pragmatic}


def _are_spans(value: Json) -> bool:
    return has_keys(value, ("literal", "pragmatic"), list) and all(map(is_texts, value.values()))


def write(pairs: Pairs) -> str:
    return dumped({prediction.id: _spans(prediction) for _, prediction in pairs})


def _spans(prediction: Prediction) -> dict[str, list[str]]:
    """The spans of a prediction; an answer without spans is a literal one."""
    return {
        "literal": list(prediction.literal) or [prediction.answer] * bool(prediction.answer),
        "pragmatic": list(prediction.pragmatic),
    }


def read(key: str, value: Json) -> Prediction:
    return Prediction(key, literal=tuple(value["literal"]), pragmatic=tuple(value["pragmatic"]))


def _references(examples: list[Example]) -> Json:
    return {example.id: _gold_spans(example) for example in examples}


def _gold_spans(example: Example) -> dict[str, list[str]]:
    return {
        "literal": [span.text for span in example.gold.literal],
        "pragmatic": [span.text for span in example.gold.pragmatic],
    }


def _corpus(setup: Setup) -> Corpus:
    """The spans of all the split's conversations, the pages not being released."""
    communities = community_passages(setup.examples)
    blocks = tuple(passage for own in communities.values() for passage in own)
    note = (
        f"{len(blocks):,} blocks of annotated spans, the pages not being released; turns on a page "
        "that failed to load are left out"
    )
    return Corpus(blocks, note, lambda example: not page_failed(example))


SUITE = Suite(
    tasks={
        "answers": Task(("F1-lit", "F1-prag"), measure, no_answer=UNKNOWN),
        "pragmatic": Task(("R@k", "R-All@k", "F1-lit", "F1-prag"), measure_with_recall),
    },
    formats={
        "pragmaticqa": OfficialFormat(
            PredictionFormat(
                "PragmatiCQA",
                mapping_entries,
                _are_spans,
                "lists of texts under literal and pragmatic",
            ),
            dataset_references("pragmaticqa", value=_references),
            score,
            Conversion(write, read),
        )
    },
    corpus=_corpus,
)
