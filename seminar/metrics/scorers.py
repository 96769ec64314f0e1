"""Every scorer by name: the parsed official files in, one flat table of numbers out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Protocol, TypeAlias

from seminar.errors import unknown
from seminar.metrics.measures import bleu, rouge
from seminar.metrics.official import (
    ambigqa,
    ambigqa_questions,
    coqa,
    nq_open,
    pragmaticqa,
    qaconv,
    qrecc,
    quac,
    squad,
    topiocqa,
    trec,
)
from seminar.metrics.strictness import fault

Json: TypeAlias = Any
Table = dict[str, float]


class Scorer(Protocol):
    """Parsed references and predictions, in their official formats, to scores by name."""

    def __call__(self, references: Json, predictions: Json, *, strict: bool = False) -> Table: ...


def score_squad_v1(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and {id: answer}."""
    return squad.score_v1(references["data"], predictions, strict=strict)


def score_squad_v2(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and {id: answer}."""
    return squad.score_v2(references["data"], predictions, strict=strict)


def score_coqa(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": stories} and [{"id", "turn_id", "answer"}]."""
    domains = coqa.score(references["data"], predictions, strict=strict)
    return _flat({domain: dict(scores) for domain, scores in domains.items()})


def score_quac(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{"data": articles} and [{"qid": [], "best_span_str": [], "yesno": [], "followup": []}]."""
    by_dialog = quac.predictions_of(predictions, strict=strict)
    return asdict(quac.score(references["data"], by_dialog, strict=strict))


def score_topiocqa_reader(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[turns] and [{"conv_id", "turn_id", "predictions": [text]}]."""
    scores = topiocqa.score_reader(references, predictions, strict=strict)
    return {"em": scores["em"], "f1": scores["f1"], "turns": scores["turns"]}


def score_topiocqa_retriever(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"conv_id", "turn_id", "positive_ctxs"}] and [{"conv_id", "turn_id", "ctxs"}]."""
    return topiocqa.score_retriever(references, predictions, strict=strict)


def score_qaconv(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"id", "answers"}] and {id: answer}; FZ-R on difflib, as the official requirements give."""
    return qaconv.score(references, predictions, strict=strict)


def score_qaconv_recall(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"id", "article_segment_id"}] and {id: {segment: score}}; misses counted as `fair` too."""
    official = qaconv.score_recall(references, predictions, strict=strict)
    fair = qaconv.score_recall(references, predictions, count_misses=True, strict=strict)
    return official | {f"fair {name}": value for name, value in fair.items()}


def score_ambigqa(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[questions] and {id: [answer]}."""
    said = ambigqa.predictions_of(predictions)
    scores = ambigqa.score(references, said, strict=strict)
    return {"f1": scores.f1, "f1_multiple": scores.f1_multiple}


def score_ambigqa_questions(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[questions] and {id: [{"question", "answer"}]}."""
    scores = ambigqa_questions.score(references, predictions, strict=strict)
    return _flat({"all": scores.all, "multiple": scores.multiple})


def score_nq_open(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"question", "answer": [text]}] and [{"question", "prediction"}]."""
    wanted = {record["question"]: record["answer"] for record in references}
    said = {record["question"]: record["prediction"] for record in predictions}
    scores = nq_open.score(wanted, said, strict=strict)
    return {"accuracy": scores.accuracy, "missing": scores.missing, "total": scores.total}


def score_qrecc_rewrites(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[rewrite] and [rewrite], in one order; out of 100."""
    return {
        "rouge1_recall": 100 * rouge.mean_rouge_1_recall(predictions, references),
        "bleu": bleu.corpus_bleu(predictions, [references], strict=strict).score,
    }


def score_qrecc_retrieval(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"Conversation-ID", "Turn-ID", "answer"}] and rows with "docid", "content" and "rank"."""
    answers = {(turn["Conversation-ID"], turn["Turn-ID"]): turn["answer"] for turn in references}
    rows: Json = []
    for row in predictions:
        turn = (row["Conversation-ID"], row["Turn-ID"])
        if turn not in answers:
            message = f"no reference for turn {turn[1]} of conversation {turn[0]}"
            raise fault(KeyError, message, strict=strict)
        rows.append(row | {"answer": answers[turn]})
    scores = qrecc.score(rows, strict=strict)
    return {
        "mrr": scores.mrr,
        "recall@10": scores.recall_at_10,
        "recall@100": scores.recall_at_100,
    }


def score_trec(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{query: {document: grade}} and {query: {document: score}}."""
    return trec.mean_measures(references, predictions)


def score_pragmaticqa(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{id: {"literal": [span], "pragmatic": [span]}}, both; a missing prediction is empty."""
    nothing: Mapping[str, list[str]] = {"literal": [], "pragmatic": []}
    pairs = (
        (pragmaticqa.Spans(**predictions.get(key, nothing)), pragmaticqa.Spans(**gold))
        for key, gold in references.items()
    )
    scores = pragmaticqa.score(pairs)
    return {"f1_literal": scores.literal, "f1_pragmatic": scores.pragmatic}


SCORERS: dict[str, Scorer] = {
    "ambigqa": score_ambigqa,
    "ambigqa-questions": score_ambigqa_questions,
    "coqa": score_coqa,
    "nq-open": score_nq_open,
    "pragmaticqa": score_pragmaticqa,
    "qaconv": score_qaconv,
    "qaconv-recall": score_qaconv_recall,
    "qrecc-retrieval": score_qrecc_retrieval,
    "qrecc-rewrites": score_qrecc_rewrites,
    "quac": score_quac,
    "squad-v1": score_squad_v1,
    "squad-v2": score_squad_v2,
    "topiocqa-reader": score_topiocqa_reader,
    "topiocqa-retriever": score_topiocqa_retriever,
    "trec": score_trec,
}


def find_scorer(name: str) -> Scorer:
    """The scorer of a name, or the error that suggests the nearest one."""
    if name not in SCORERS:
        raise unknown("scorer", name, SCORERS)
    return SCORERS[name]


def _flat(tables: Mapping[str, Mapping[str, Json]]) -> Table:
    """Tables by part as one, 'part name' to number."""
    return {
        f"{part} {name}": value for part, table in tables.items() for name, value in table.items()
    }
