"""QAConv: exact match, F1 and fuzzy ratio, and recall of the gold chunk (Wu et al., 2022)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from seminar.baselines.okapi import Okapi
from seminar.baselines.qaconv import rank_chunks
from seminar.datasets.conversations.qaconv import scope
from seminar.datasets.conversations.qaconv_chunks import load_chunks, load_split
from seminar.evaluation.corpora import Corpus, index_passages
from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, is_scores, is_text, mapping_entries
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.references import dataset_references
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.suite import (
    Builder,
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
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.stages import build_retriever
from seminar.types import Hit, Passage, Query


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


class ScopedOkapi:
    """A retriever with an index for each scope and word statistics of that scope alone."""

    def __init__(self, chunks: Iterable[Passage]) -> None:
        scopes: dict[str, list[Passage]] = {}
        for chunk in chunks:
            scopes.setdefault(chunk.scope, []).append(chunk)
        self._scopes = {scope: Okapi(within) for scope, within in scopes.items()}

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [self._scopes[query.scope or ""].search([query], k)[0] for query in queries]


def _bm25(setup: Setup) -> System:
    """The authors' BM25 over the chunks of a question's conversations (full mode)."""
    chunks, official = load_chunks(setup.root)
    return _ranking_system(ScopedOkapi(chunks), chunks, official=official)


def _search(name: str) -> Builder:
    """One of Seminar's own retrievers over the chunks (full mode)."""

    def build(setup: Setup) -> System:
        chunks, official = load_chunks(setup.root)
        encoder = load_encoder(setup.settings.encoder)
        retriever = build_retriever(index_passages(setup, chunks), encoder, name)
        return _ranking_system(retriever, chunks, official=official)

    return build


def _ranking_system(retriever: Retriever, chunks: Sequence[Passage], *, official: bool) -> System:
    def predict(examples: Sequence[Example]) -> list[Prediction]:
        rankings = rank_chunks(examples, retriever, k=max(qaconv.CUTOFFS))
        return [
            Prediction(example.id, ranking=tuple(map(Ranked, ranking, ranking.values())))
            for example, ranking in ((example, rankings[example.id]) for example in examples)
        ]

    material = digest(chunks)
    if official:
        return System(predict, kind="retrieval", note="official chunks", material=material)
    note = "chunks are segments; gold are those about the chunk's place that contain an answer"
    return System(predict, kind="located chunks", note=note, material=material)


def _scope(example: Example) -> str:
    return scope(example.sources[0])


def _chunks(root: Path | None) -> list[Passage]:
    return load_chunks(root)[0]


def _corpus(setup: Setup) -> Corpus:
    chunks, official = load_chunks(setup.root)
    kind = "official chunks" if official else "segments, the official chunks not being there"
    return Corpus(tuple(chunks), f"{len(chunks):,} {kind}")


_RECALL = Task(tuple(f"R@{k}" for k in qaconv.CUTOFFS), measure_recall, scale=1.0, decimals=3)

_FULL = Suite(
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
    systems={
        "bm25": _bm25,
        "lexical": _search("lexical"),
        "dense": _search("dense"),
        "fusion": _search("fusion"),
    },
    load=load_split,
    passages=_chunks,
    scope=_scope,
    corpus=_corpus,
)
_CHUNK = replace(_FULL, given=True)  # the question's own chunk is read

SUITE = replace(_FULL, splits=dict.fromkeys(("trn-chunk", "val-chunk", "tst-chunk"), _CHUNK))
