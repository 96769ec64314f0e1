"""Every system by name: the papers' sanity checks, bounds and baselines, and the assistant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from seminar.baselines import qaconv, quac, topiocqa
from seminar.baselines.okapi import Okapi
from seminar.baselines.regression import SentenceRegression
from seminar.baselines.similarity import SentenceSimilarity
from seminar.baselines.transitions import TransitionMatrix
from seminar.datasets.catalog import load
from seminar.datasets.conversations.qaconv_chunks import chunks_of
from seminar.errors import DatasetError, unknown
from seminar.evaluation.assistants import assistant
from seminar.evaluation.corpora import corpus, indexed
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Bench, System
from seminar.evaluation.suites.catalog import find_task
from seminar.examples import Example, dialogue_of
from seminar.metrics.official.qaconv import CUTOFFS
from seminar.metrics.official.quac import MINIMUM_HUMAN_F1, QuacPrediction
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.questions.registry import HISTORIES
from seminar.stages import build_retriever
from seminar.types import Hit, Passage, Query

Builder = Callable[[Bench], System]
QuacPredict = Callable[[Sequence[Example]], list[QuacPrediction]]


class Fitted(Protocol):
    """What a baseline becomes once it is fitted."""

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]: ...


def quac_system(predict: QuacPredict, note: str = "", material: str = "") -> System:
    """What predicts in QuAC's form, as a system."""

    def predictions(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, said.text, yesno=said.yesno, followup=said.followup)
            for example, said in zip(examples, predict(examples), strict=True)
        ]

    return System(predictions, note=note, material=material)


def random_sentence(bench: Bench) -> System:
    return quac_system(lambda examples: quac.random_sentence(examples, seed=bench.seed))


def majority(bench: Bench) -> System:
    return quac_system(quac.majority)


def gold_sentence(bench: Bench) -> System:
    return quac_system(quac.gold_sentence)


def similarity(bench: Bench) -> System:
    model = SentenceSimilarity(load_encoder(bench.settings.encoder))
    return quac_system(model.predict, note=f"encoder {bench.settings.encoder}")


def transition_matrix(bench: Bench) -> System:
    return quac_system(*_fitted(bench, TransitionMatrix.fit))


def gold_na_tm(bench: Bench) -> System:
    steps, *told = _fitted(bench, TransitionMatrix.fit)
    return quac_system(lambda examples: quac.gold_unanswerable(examples, steps(examples)), *told)


def regression(bench: Bench) -> System:
    return quac_system(*_fitted(bench, SentenceRegression.fit))


def _fitted(
    bench: Bench, fit: Callable[[Iterable[Example]], Fitted]
) -> tuple[QuacPredict, str, str]:
    """Fit on QuAC's training set; without it, on the half of the dialogs that isn't predicted.

    With what predicts come its note and the fingerprint of what it was fitted on.
    """
    try:
        fitted = fit(load("quac/train", bench.root))
        return fitted.predict, "fitted on quac/train", digest(load("quac/train", bench.root))
    except DatasetError:
        halves = _halves(bench.examples)
    other = {
        side: fit([one for one in bench.examples if halves[one.dialogue_id] != side])
        for side in (0, 1)
    }

    def predict(examples: Sequence[Example]) -> list[QuacPrediction]:
        return [other[halves[one.dialogue_id]].predict([one])[0] for one in examples]

    note = f"fitted on the other half of the dialogs of {bench.name}"
    return predict, note, digest(bench.examples)


def _halves(examples: Sequence[Example]) -> dict[str, int]:
    """Each dialog's half, every second one in the second."""
    dialogs = dict.fromkeys(example.dialogue_id for example in examples)
    return {dialog: number % 2 for number, dialog in enumerate(dialogs)}


def quac_human(bench: Bench) -> System:
    def predict(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, measures=_human_measures(f1))
            for example, f1 in zip(examples, quac.human(examples), strict=True)
        ]

    return System(predict, note="each reference against the others; one reference alone counts 1")


def _human_measures(f1: float) -> tuple[tuple[str, float], ...]:
    if f1 < MINIMUM_HUMAN_F1:
        return (("F1 all", f1),)
    return ("F1 all", f1), ("F1", f1), ("HEQ-Q", 1.0)


def topiocqa_human(bench: Bench) -> System:
    _need(bench, lambda one: len(one.gold.answers) > 1, "additional answers")

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, measures=(("EM", one.exact), ("F1", one.f1)))
            for example, one in zip(examples, topiocqa.human(examples), strict=True)
        ]

    return System(predict, note="each reference against the others")


def extractive_bound(bench: Bench) -> System:
    _need(bench, lambda one: bool(one.gold.evidence) or not one.gold.answerable, "gold passages")

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        spans = topiocqa.extractive_bound(examples)
        return [Prediction(one.id, span) for one, span in zip(examples, spans, strict=True)]

    return System(predict, note="best span of the gold passage")


def _need(bench: Bench, has: Callable[[Example], bool], what: str) -> None:
    lacking = [example.id for example in bench.examples if not has(example)]
    if lacking:
        raise DatasetError(
            f"{bench.name}: {len(lacking)} of {len(bench.examples)} turns have no {what} "
            f"(the first is '{lacking[0]}'); this row needs the file that holds them"
        )


def qaconv_bm25(bench: Bench) -> System:
    """The authors' BM25 over the chunks of a question's conversations (full mode)."""
    chunks, official = chunks_of(bench.root)
    return _ranking_chunks(Pools(chunks), chunks, official=official)


def _qaconv_search(name: str) -> Builder:
    """One of Seminar's own retrievers over the chunks (full mode)."""

    def build(bench: Bench) -> System:
        chunks, official = chunks_of(bench.root)
        retriever = _retriever(name, bench, chunks)
        return _ranking_chunks(retriever, chunks, official=official)

    return build


def _retriever(name: str, bench: Bench, found: Iterable[Passage]) -> Retriever:
    encoder = load_encoder(bench.settings.encoder)
    return build_retriever(indexed(bench, found), encoder, name)


def _ranking_chunks(retriever: Retriever, chunks: Sequence[Passage], *, official: bool) -> System:
    def predict(examples: Sequence[Example]) -> list[Prediction]:
        rankings = qaconv.rank_chunks(examples, retriever, k=max(CUTOFFS))
        return [
            Prediction(example.id, ranking=tuple(map(Ranked, found, found.values())))
            for example, found in ((one, rankings[one.id]) for one in examples)
        ]

    material = digest(chunks)
    if official:
        return System(predict, kind="retrieval", note="official chunks", material=material)
    note = "chunks are segments; gold are those about the chunk's place that contain an answer"
    return System(predict, kind="located chunks", note=note, material=material)


class Pools:
    """A retriever with an index for each scope and word statistics of that scope alone."""

    def __init__(self, chunks: Iterable[Passage]) -> None:
        scopes: dict[str, list[Passage]] = {}
        for chunk in chunks:
            scopes.setdefault(chunk.scope, []).append(chunk)
        self._pools = {scope: Okapi(within) for scope, within in scopes.items()}

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [self._pools[query.scope or ""].search([query], k)[0] for query in queries]


def topiocqa_bm25(bench: Bench) -> System:
    """BM25 over TopiOCQA's Wikipedia, with as much history as the settings say."""
    retriever = _retriever("lexical", bench, corpus(bench))
    rewriter = HISTORIES[bench.settings.history]()
    no_answer = find_task(bench.name).no_answer

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        dialogues = [dialogue_of(example, no_answer) for example in examples]
        queries = rewriter.rewrite(dialogues, [example.question for example in examples])
        rankings = topiocqa.rank_passages(examples, queries, retriever)
        return [
            Prediction(
                example.id,
                ranking=tuple(
                    Ranked(one["id"], 1 / rank, one["title"], one["text"])
                    for rank, one in enumerate(ranking["ctxs"], start=1)
                ),
            )
            for example, ranking in zip(examples, rankings, strict=True)
        ]

    note, material = f"history {bench.settings.history}", digest(corpus(bench))
    return System(predict, kind="retrieval", note=note, material=material)


SYSTEMS: dict[str, dict[str, Builder]] = {
    "qaconv": {
        "bm25": qaconv_bm25,
        "lexical": _qaconv_search("lexical"),
        "dense": _qaconv_search("dense"),
        "fusion": _qaconv_search("fusion"),
    },
    "quac": {
        "random-sentence": random_sentence,
        "majority": majority,
        "transition-matrix": transition_matrix,
        "gold-na-tm": gold_na_tm,
        "gold-sentence": gold_sentence,
        "human": quac_human,
        "similarity": similarity,
        "regression": regression,
    },
    "topiocqa": {
        "human": topiocqa_human,
        "extractive-bound": extractive_bound,
        "bm25": topiocqa_bm25,
    },
}


def systems_of(dataset: str) -> dict[str, Builder]:
    """The systems that can be tried on a dataset."""
    return {**SYSTEMS.get(dataset, {}), "assistant": assistant}


def build(name: str, bench: Bench) -> System:
    """The system of a name, fitted and ready for this split."""
    known = systems_of(bench.dataset)
    if name not in known:
        raise unknown(f"system for {bench.dataset} (and no such file)", name, known)
    return known[name](bench)
