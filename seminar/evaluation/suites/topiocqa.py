"""TopiOCQA: exact match and F1 of answers, top-k accuracy of passages (Adlakha et al., 2022)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from seminar.baselines.topiocqa import extractive_bound, human, rank_passages
from seminar.datasets.catalog import documents, passages
from seminar.datasets.dialogues.topiocqa import UNANSWERABLE
from seminar.errors import DatasetError, ScoringError
from seminar.evaluation.corpora import Corpus, index_passages
from seminar.evaluation.files import Json
from seminar.evaluation.formats import PredictionFormat, has_keys, is_texts, keyed_entries
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.references import dataset_references
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.suite import Conversion, OfficialFormat, Pairs, Suite, Table, dumped
from seminar.evaluation.tasks import EXACT_AND_F1, Measures, Task, measure_turn, recall_at
from seminar.examples import Example, dialogue_of
from seminar.ingestion.passages import split
from seminar.metrics.official import topiocqa
from seminar.models.encoders.registry import load_encoder
from seminar.questions.registry import HISTORIES
from seminar.stages import build_retriever
from seminar.types import Passage

KEYS = ("conv_id", "turn_id")
CUTOFFS = (20, 100)


def measure_ranking(example: Example, prediction: Prediction) -> Measures:
    """Whether the gold passage is among the first 20 and the first 100, compared by its text."""
    if not example.gold.evidence:
        raise ScoringError(f"turn '{example.id}' has no gold passage: retrieval can't be scored")
    gold = example.gold.evidence[0]
    relevant = [
        (ranked.title, ranked.text) == (gold.title, gold.text) for ranked in prediction.ranking
    ]
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
    return isinstance(value, list) and all(
        has_keys(context, ("title", "text")) for context in value
    )


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
                    {"id": ranked.id, "title": ranked.title, "text": ranked.text}
                    for ranked in prediction.ranking
                ]
            }
            for example, prediction in pairs
        ]
    )


def _turn(example: Example) -> dict[str, Json]:
    return {"conv_id": example.dialogue_id, "turn_id": str(example.turn)}


def read_ranking(key: str, contexts: Json) -> Prediction:
    """The passages of an official result file, best first, scored by their rank."""
    ranking = (
        Ranked(context.get("id", ""), 1 / rank, context["title"], context["text"])
        for rank, context in enumerate(contexts, start=1)
    )
    return Prediction(key, ranking=tuple(ranking))


def _human(setup: Setup) -> System:
    _require(setup, lambda example: len(example.gold.answers) > 1, "additional answers")

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        return [
            Prediction(example.id, measures=(("EM", score.exact), ("F1", score.f1)))
            for example, score in zip(examples, human(examples), strict=True)
        ]

    return System(predict, note="each reference against the others")


def _extractive_bound(setup: Setup) -> System:
    _require(
        setup,
        lambda example: bool(example.gold.evidence) or not example.gold.answerable,
        "gold passages",
    )

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        spans = extractive_bound(examples)
        return [Prediction(example.id, span) for example, span in zip(examples, spans, strict=True)]

    return System(predict, note="best span of the gold passage")


def _require(setup: Setup, has: Callable[[Example], bool], what: str) -> None:
    lacking = [example.id for example in setup.examples if not has(example)]
    if lacking:
        raise DatasetError(
            f"{setup.name}: {len(lacking)} of {len(setup.examples)} turns have no {what} "
            f"(the first is '{lacking[0]}'); this row needs the file that holds them"
        )


def _bm25(setup: Setup) -> System:
    """BM25 over TopiOCQA's Wikipedia, with as much history as the settings say."""
    index = index_passages(setup, _wikipedia(setup.root))
    retriever = build_retriever(index, load_encoder(setup.settings.encoder), "lexical")
    rewriter = HISTORIES[setup.settings.history]()

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        dialogues = [dialogue_of(example, UNANSWERABLE) for example in examples]
        queries = rewriter.rewrite(dialogues, [example.question for example in examples])
        rankings = rank_passages(examples, queries, retriever)
        return [
            read_ranking(example.id, ranking["ctxs"])
            for example, ranking in zip(examples, rankings, strict=True)
        ]

    note, material = f"history {setup.settings.history}", digest(_wikipedia(setup.root))
    return System(predict, kind="retrieval", note=note, material=material)


def _wikipedia(root: Path | None) -> Iterator[Passage]:
    return passages("topiocqa", root)


def _corpus(setup: Setup) -> Corpus:
    """TopiOCQA's Wikipedia; without it, an encyclopedia and the questions about its articles."""
    try:
        segments = tuple(_wikipedia(setup.root))
    except DatasetError as missing:
        return _wikispeedia(setup, missing)
    return Corpus(segments, f"{len(segments):,} passages of full_wiki_segments.tsv")


def _wikispeedia(setup: Setup, missing: DatasetError) -> Corpus:
    try:
        articles = list(documents("wikispeedia", setup.root))
    except DatasetError:
        raise missing from None
    segments = tuple(passage for article in articles for passage in split(article))
    titles = {article.title.lower() for article in articles}

    def covers(example: Example) -> bool:
        return example.gold.topic.lower() in titles

    note = (
        f"{len(segments):,} passages of Wikispeedia's {len(articles):,} articles, "
        "full_wiki_segments.tsv not being there: only the questions whose topic is one of them"
    )
    return Corpus(segments, note, covers)


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
    systems={"human": _human, "extractive-bound": _extractive_bound, "bm25": _bm25},
    passages=_wikipedia,
    corpus=_corpus,
)
