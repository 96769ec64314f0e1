"""A row's recipe to the system that predicts: history, retriever and reader in line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from seminar.errors import DatasetError
from seminar.evaluation.assistants import (
    Search,
    prediction_of,
    search_chunk,
    search_context,
    search_corpus,
)
from seminar.evaluation.grids.closed_book import ClosedBook
from seminar.evaluation.grids.corpora import Corpus, stored
from seminar.evaluation.grids.grid import CLOSED_BOOK, OWN_READERS, Recipe
from seminar.evaluation.grids.networks import Networks, Predict
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.setup import Bench, System
from seminar.evaluation.suites.catalog import find_task
from seminar.evaluation.systems import Pools, build, quac_system
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

HELD_OUT = "quac/val-part-held-out"  # the dialogs of QuAC that training leaves alone
DEEPEST = 100  # what TopiOCQA's Top-100 looks at


class Ground:
    """What the rows of a part stand on: a split, its corpus if it is searched, and networks."""

    def __init__(self, bench: Bench, corpus: Corpus | None, networks: Networks) -> None:
        self.bench, self.networks = bench, networks
        self._corpus = corpus

    @property
    def corpus(self) -> Corpus:
        if self._corpus is None:
            raise DatasetError(f"{self.bench.name} has no corpus to search")
        return self._corpus

    @cached_property
    def index(self) -> FileIndex:
        """The corpus as an index, made when the first row needs it."""
        return stored(self.bench, self.corpus)

    @property
    def encoder(self) -> Encoder:
        return load_encoder(self.bench.settings.encoder)

    @property
    def no_answer(self) -> str:
        return find_task(self.bench.name).no_answer

    def queries(self, rewriter: Rewriter, examples: Sequence[Example]) -> list[Query]:
        dialogues = [dialogue_of(example, self.no_answer) for example in examples]
        return rewriter.rewrite(dialogues, [example.question for example in examples])


def system_of(recipe: Recipe, ground: Ground) -> System:
    """The system that a recipe names, or the error that says what it lacks here."""
    if recipe.baseline:
        return build(recipe.baseline, ground.bench)
    if recipe.reader == CLOSED_BOOK:
        return _closed_book(ground)
    if recipe.reader.startswith("bidaf"):
        return _bidaf(recipe, ground)
    return _line(recipe, ground) if recipe.reader else _ranking(recipe, ground)


def note_of(recipe: Recipe, ground: Ground) -> str:
    """What stood in where a network could have: passages or rewrites of Seminar's own."""
    given = ground.networks.given
    own = {
        "dpr-retriever": "passages found by fusion, no dpr-retriever being given",
        "rewriter": "rewritten by Seminar's own model, no rewriter being given",
    }
    return "; ".join(own[role] for role in recipe.may_use if role not in given)


def _bidaf(recipe: Recipe, ground: Ground) -> System:
    """BiDAF++, which reads a whole section and never what it was trained on."""
    found, asked = ground.networks.given[recipe.reader], ground.bench.name
    if found.settings.get("data") == "quac-part" and asked != HELD_OUT:
        raise DatasetError(f"{found.folder} was trained on dialogs of {asked}: ask {HELD_OUT}")
    return quac_system(ground.networks.load(recipe.reader).predict)


def _closed_book(ground: Ground) -> System:
    settings = ground.bench.settings
    if not settings.llm:
        raise DatasetError("no language model is named: --llm URL --model NAME")
    model = open_language_model(settings)
    return System(ClosedBook(model, ground.no_answer).predict, note=f"by {settings.model}")


def _ranking(recipe: Recipe, ground: Ground) -> System:
    """A row that is measured by what it finds."""
    if not all(one.gold.evidence for one in ground.bench.examples):
        raise DatasetError(f"{ground.bench.name} has no gold passages: retrieval can't be scored")
    rewriter = _rewriter(recipe, ground)
    retriever = _retriever(recipe.retriever, ground)

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        found = retriever.search(ground.queries(rewriter, examples), DEEPEST)
        return [
            Prediction(example.id, ranking=tuple(map(_with_words, hits)))
            for example, hits in zip(examples, found, strict=True)
        ]

    return System(predict, kind="retrieval")


def _with_words(hit: Hit) -> Ranked:
    """A hit as TopiOCQA's result files have it; gold passages are told by their words."""
    passage = hit.passage
    heading = f"{passage.title}{SEPARATOR}{passage.section}"
    return Ranked(passage.source, hit.score, heading, passage.text)


def _line(recipe: Recipe, ground: Ground) -> System:
    rewriter, search = _rewriter(recipe, ground), _search(recipe, ground)
    answer = _answering(recipe, ground)

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        queries = ground.queries(rewriter, examples)
        hits = search(examples, queries)
        return [
            replace(said, ranking=tuple(Ranked(hit.passage.source, hit.score) for hit in found))
            for said, found in zip(answer(examples, queries, hits), hits, strict=True)
        ]

    return System(predict)


def _rewriter(recipe: Recipe, ground: Ground) -> Rewriter:
    if recipe.history == "rewrite" and "rewriter" in ground.networks.given:
        return ground.networks.rewriter()
    return HISTORIES[recipe.history]()


def _search(recipe: Recipe, ground: Ground) -> Search:
    """Where a row's passages come from: given with the question, or found."""
    k = recipe.k or ground.bench.settings.hits
    if recipe.retriever == "chunk":
        return search_chunk(ground.corpus.passages)
    if recipe.retriever == "context":
        return search_context(k)
    if recipe.retriever == "gold passage":
        return _search_gold(ground)
    return search_corpus(_retriever(recipe.retriever, ground), k, ground.bench)


def _search_gold(ground: Ground) -> Search:
    """The gold passage alone, none where a question has no answer (TopiOCQA, table 7)."""
    if not all(one.gold.evidence or not one.gold.answerable for one in ground.bench.examples):
        raise DatasetError(f"{ground.bench.name} has no gold passages to read")

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        return [
            [
                Hit(Passage(gold.source, 0, len(gold.text), gold.text, title=gold.title), 1.0)
                for gold in example.gold.evidence[:1]
            ]
            for example in examples
        ]

    return search


def _retriever(name: str, ground: Ground) -> Retriever:
    if name == "best":
        name = "dpr-retriever" if "dpr-retriever" in ground.networks.given else "fusion"
    if name == "bm25":  # in QAConv the paper's is of a conversation's own chunks
        if ground.bench.dataset == "qaconv":
            return FusedRepresentations(Pools(ground.corpus.passages))
        name = "lexical"
    if name in RETRIEVERS:
        return build_retriever(ground.index, ground.encoder, name)
    made = ground.networks.retriever(name, ground.corpus.passages, ground.bench.scratch)
    return FusedRepresentations(made)


def _answering(recipe: Recipe, ground: Ground) -> Predict:
    if recipe.reader in OWN_READERS:
        return _embedded(recipe, ground)
    pragmatic = ground.bench.dataset == "pragmaticqa"
    return ground.networks.reader(recipe, ground.no_answer, pragmatic=pragmatic)


def _embedded(recipe: Recipe, ground: Ground) -> Predict:
    """One of Seminar's readers, and the composer that `seminar ask` has."""
    settings = ground.bench.settings
    reader = build_reader(recipe.reader)
    if recipe.several:
        reader = IterativeReader(reader, diversity=settings.diversity)
    pragmatic = ground.bench.dataset == "pragmaticqa"
    composer = build_composer(settings, several=recipe.several, pragmatic=pragmatic)

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        dialogues = [dialogue_of(example, ground.no_answer) for example in examples]
        answers = reader.read(queries, hits)
        replies = composer.respond(dialogues, queries, hits, answers)
        return [
            prediction_of(example, reply, ground.no_answer)
            for example, reply in zip(examples, replies, strict=True)
        ]

    return predict
