"""Build the system of a row's recipe: history, retriever and reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from seminar.errors import DatasetError
from seminar.evaluation.assistants import (
    Search,
    prediction_of,
    search_context,
    search_corpus,
    search_evidence,
)
from seminar.evaluation.corpora import Corpus
from seminar.evaluation.grids.closed_book import ClosedBook
from seminar.evaluation.grids.corpora import open_corpus
from seminar.evaluation.grids.grid import CLOSED_BOOK, OWN_READERS, Recipe
from seminar.evaluation.grids.networks import Networks, Predict
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.setup import Setup, System
from seminar.evaluation.suites.catalog import find_suite, find_task
from seminar.evaluation.suites.qaconv import ScopedOkapi
from seminar.evaluation.suites.quac import quac_system
from seminar.evaluation.suites.suite import Suite
from seminar.evaluation.systems import build
from seminar.examples import Example, dialogue_of
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Encoder, Retriever, Rewriter
from seminar.questions.registry import HISTORIES
from seminar.reading.iterative import IterativeReader
from seminar.retrieval.file_index import FileIndex
from seminar.retrieval.representations import FusedRepresentations
from seminar.stages import (
    RETRIEVERS,
    build_composer,
    build_reader,
    build_retriever,
    open_language_model,
)
from seminar.types import SEPARATOR, Hit, Passage, Query

HELD_OUT = "quac/val-part-held-out"  # the dialogs of QuAC that no training has seen
DEEPEST = 100  # the largest cutoff of TopiOCQA


class Resources:
    """What a row's system is built from: a split, its corpus if it is searched, and networks."""

    def __init__(self, setup: Setup, corpus: Corpus | None, networks: Networks) -> None:
        self.setup, self.networks = setup, networks
        self._corpus = corpus

    @property
    def corpus(self) -> Corpus:
        if self._corpus is None:
            raise DatasetError(f"{self.setup.name} has no corpus to search")
        return self._corpus

    @cached_property
    def index(self) -> FileIndex:
        """The corpus as an index, made when the first row needs it."""
        return open_corpus(self.setup, self.corpus)

    @property
    def encoder(self) -> Encoder:
        return load_encoder(self.setup.settings.encoder)

    @property
    def no_answer(self) -> str:
        return find_task(self.setup.name).no_answer

    @property
    def suite(self) -> Suite:
        return find_suite(self.setup.name)

    @property
    def pragmatic(self) -> bool:
        return "pragmatic" in self.suite.tasks

    def queries(self, rewriter: Rewriter, examples: Sequence[Example]) -> list[Query]:
        dialogues = [dialogue_of(example, self.no_answer) for example in examples]
        return rewriter.rewrite(dialogues, [example.question for example in examples])


def system_of(recipe: Recipe, resources: Resources) -> System:
    """The system that a recipe names, or the error that says what it lacks here."""
    if recipe.baseline:
        return build(recipe.baseline, resources.setup)
    if recipe.reader == CLOSED_BOOK:
        return _closed_book(resources)
    if recipe.reader.startswith("bidaf"):
        return _bidaf(recipe, resources)
    return _pipeline(recipe, resources) if recipe.reader else _ranking(recipe, resources)


def note_of(recipe: Recipe, resources: Resources) -> str:
    """Which of Seminar's own stages replaced a network that was not given."""
    given = resources.networks.given
    replacements = {
        "dpr-retriever": "passages found by fusion, no dpr-retriever being given",
        "rewriter": "rewritten by Seminar's own model, no rewriter being given",
    }
    return "; ".join(replacements[role] for role in recipe.may_use if role not in given)


def _bidaf(recipe: Recipe, resources: Resources) -> System:
    """BiDAF++, which reads a whole section and never what it was trained on."""
    network, split = resources.networks.given[recipe.reader], resources.setup.name
    if network.settings.get("data") == "quac-part" and split != HELD_OUT:
        raise DatasetError(f"{network.folder} was trained on dialogs of {split}: ask {HELD_OUT}")
    return quac_system(resources.networks.load(recipe.reader).predict)


def _closed_book(resources: Resources) -> System:
    settings = resources.setup.settings
    if not settings.llm:
        raise DatasetError("no language model is named: --llm URL --model NAME")
    model = open_language_model(settings)
    return System(ClosedBook(model, resources.no_answer).predict, note=f"by {settings.model}")


def _ranking(recipe: Recipe, resources: Resources) -> System:
    """A row without a reader, whose ranking is measured."""
    if not all(example.gold.evidence for example in resources.setup.examples):
        raise DatasetError(
            f"{resources.setup.name} has no gold passages: retrieval can't be scored"
        )
    rewriter = _rewriter(recipe, resources)
    retriever = _retriever(recipe.retriever, resources)

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        rankings = retriever.search(resources.queries(rewriter, examples), DEEPEST)
        return [
            Prediction(example.id, ranking=tuple(map(_with_text, hits)))
            for example, hits in zip(examples, rankings, strict=True)
        ]

    return System(predict, kind="retrieval")


def _with_text(hit: Hit) -> Ranked:
    """A hit as TopiOCQA's result files have it; gold passages are recognised by their text."""
    passage = hit.passage
    heading = f"{passage.title}{SEPARATOR}{passage.section}"
    return Ranked(passage.source, hit.score, heading, passage.text)


def _pipeline(recipe: Recipe, resources: Resources) -> System:
    rewriter, search = _rewriter(recipe, resources), _search(recipe, resources)
    answer = _reader(recipe, resources)

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        queries = resources.queries(rewriter, examples)
        hits = search(examples, queries)
        return [
            replace(prediction, ranking=tuple(Ranked(hit.passage.source, hit.score) for hit in own))
            for prediction, own in zip(answer(examples, queries, hits), hits, strict=True)
        ]

    return System(predict)


def _rewriter(recipe: Recipe, resources: Resources) -> Rewriter:
    if recipe.history == "rewrite" and "rewriter" in resources.networks.given:
        return resources.networks.rewriter()
    return HISTORIES[recipe.history]()


def _search(recipe: Recipe, resources: Resources) -> Search:
    """The source of a row's passages: given with the question, or retrieved."""
    k = recipe.k or resources.setup.settings.hits
    if recipe.retriever == "chunk":
        return search_evidence(resources.corpus.passages)
    if recipe.retriever == "context":
        return search_context(k)
    if recipe.retriever == "gold passage":
        return _search_gold(resources)
    retriever = _retriever(recipe.retriever, resources)
    return search_corpus(retriever, k, resources.suite.scope)


def _search_gold(resources: Resources) -> Search:
    """The gold passage alone, none where a question has no answer (TopiOCQA, table 7)."""
    if not all(
        example.gold.evidence or not example.gold.answerable for example in resources.setup.examples
    ):
        raise DatasetError(f"{resources.setup.name} has no gold passages to read")

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        return [
            [
                Hit(Passage(gold.source, 0, len(gold.text), gold.text, title=gold.title), 1.0)
                for gold in example.gold.evidence[:1]
            ]
            for example in examples
        ]

    return search


def _retriever(name: str, resources: Resources) -> Retriever:
    if name == "best":
        name = "dpr-retriever" if "dpr-retriever" in resources.networks.given else "fusion"
    if name == "bm25":  # within a scope, QAConv's authors count words in that scope alone
        if resources.suite.scope:
            return FusedRepresentations(ScopedOkapi(resources.corpus.passages))
        name = "lexical"
    if name in RETRIEVERS:
        return build_retriever(resources.index, resources.encoder, name)
    passages, folder = resources.corpus.passages, resources.setup.scratch
    return FusedRepresentations(resources.networks.retriever(name, passages, folder))


def _reader(recipe: Recipe, resources: Resources) -> Predict:
    if recipe.reader in OWN_READERS:
        return _embedded(recipe, resources)
    return resources.networks.reader(recipe, resources.no_answer, pragmatic=resources.pragmatic)


def _embedded(recipe: Recipe, resources: Resources) -> Predict:
    """One of Seminar's readers, and the composer that `seminar ask` has."""
    settings = resources.setup.settings
    reader = build_reader(recipe.reader)
    if recipe.several:
        reader = IterativeReader(reader, diversity=settings.diversity)
    composer = build_composer(settings, several=recipe.several, pragmatic=resources.pragmatic)

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        dialogues = [dialogue_of(example, resources.no_answer) for example in examples]
        answers = reader.read(queries, hits)
        replies = composer.respond(dialogues, queries, hits, answers)
        return [
            prediction_of(example, reply, resources.no_answer)
            for example, reply in zip(examples, replies, strict=True)
        ]

    return predict
