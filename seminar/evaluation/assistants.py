"""The assistant as a system, over each question's context or over the dataset's corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from seminar.assistant import Assistant
from seminar.baselines.okapi import Okapi
from seminar.baselines.sections import section_text
from seminar.datasets.dialogues.quac import AFFIRMATIONS, CONTINUATIONS
from seminar.errors import DatasetError
from seminar.evaluation.corpora import index_passages
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Predictor, Setup, System
from seminar.evaluation.suites.catalog import find_suite, find_task
from seminar.evaluation.suites.suite import Suite
from seminar.examples import Example, dialogue_of
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.stages import build_assistant, build_retriever
from seminar.types import Document, Hit, Passage, Query, Reply, Section

Search = Callable[[Sequence[Example], list[Query]], list[list[Hit]]]

# QuAC's letters of dialog acts.
YESNO = {act: letter for letter, act in AFFIRMATIONS.items()}
FOLLOWUP = {act: letter for letter, act in CONTINUATIONS.items()}


def assistant(setup: Setup) -> System:
    """The assistant that `seminar ask` puts together, on this split."""
    suite = find_suite(setup.name)
    if suite.passages:
        passages = list(suite.passages(setup.root))
        given = suite.given
        system = _read_evidence(setup, passages) if given else _search(setup, suite, passages)
        return replace(system, material=digest(passages))
    if not any(example.context for example in setup.examples):
        raise DatasetError(
            f"{setup.name} gives no context and has no corpus: the assistant has nothing to read"
        )
    stages = _without_retriever(setup)
    predict = _predictor(setup, stages, search_context(stages.k))
    return System(predict, note="read the given context")


def _search(setup: Setup, suite: Suite, passages: Sequence[Passage]) -> System:
    encoder = load_encoder(setup.settings.encoder)
    index = index_passages(setup, passages)
    retriever = build_retriever(index, encoder, scope=setup.settings.scope)
    stages = build_assistant(retriever, setup.settings)
    search = search_corpus(stages.retriever, stages.k, suite.scope)
    predict = _predictor(setup, stages, search)
    return System(predict, note=f"searched {len(passages):,} passages")


def _read_evidence(setup: Setup, passages: Sequence[Passage]) -> System:
    predict = _predictor(setup, _without_retriever(setup), search_evidence(passages))
    return System(predict, note="read the question's own chunk")


def _without_retriever(setup: Setup) -> Assistant:
    """The assistant's stages where hits come from elsewhere and its retriever is never called."""
    return build_assistant(Okapi(()), setup.settings)


def _predictor(setup: Setup, stages: Assistant, search: Search) -> Predictor:
    no_answer = find_task(setup.name).no_answer

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        dialogues = [dialogue_of(example, no_answer) for example in examples]
        queries = stages.rewriter.rewrite(dialogues, [example.question for example in examples])
        replies = stages.answer(dialogues, queries, search(examples, queries))
        replies = stages.write(dialogues, replies)
        return [prediction_of(*pair, no_answer) for pair in zip(examples, replies, strict=True)]

    return predict


def search_corpus(
    retriever: Retriever, k: int, scope: Callable[[Example], str] | None = None
) -> Search:
    """Search an index, within the scope that a question was asked about if it has one."""

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        if scope:
            pairs = zip(examples, queries, strict=True)
            queries = [replace(query, scope=scope(example)) for example, query in pairs]
        return retriever.search(queries, k)

    return search


def search_evidence(passages: Iterable[Passage]) -> Search:
    """Give each question the passage of its evidence, as chunk mode of QAConv does."""
    by_source = {passage.source: passage for passage in passages}

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        return [
            [Hit(by_source[evidence.source], 1.0) for evidence in example.gold.evidence[:1]]
            for example in examples
        ]

    return search


def search_context(k: int) -> Search:
    """Cut each context into passages and rank them by the words that they share with the query."""

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        pools = {section_text(example): Okapi(split(_document(example))) for example in examples}
        return [
            pools[section_text(example)].search([query], k)[0]
            for example, query in zip(examples, queries, strict=True)
        ]

    return search


def _document(example: Example) -> Document:
    text = section_text(example)
    source = example.sources[0] if example.sources else example.id
    return Document(source, example.title, text, (Section(example.section, 0, len(text)),))


def prediction_of(example: Example, reply: Reply, no_answer: str) -> Prediction:
    """The prediction that a reply makes."""
    # The spans alone: a reply's text says "Yes" as well, which scorers want as a letter.
    answer = " ".join(span.text for span in reply.literal) if reply.answerable else no_answer
    others = tuple(other.answer.span.text for other in reply.alternatives)
    return Prediction(
        id=example.id,
        answer=answer,
        yesno=YESNO[reply.affirmation],
        followup=FOLLOWUP[reply.continuation],
        answers=(answer, *others) if reply.answerable else (),
        literal=tuple(span.text for span in reply.literal),
        pragmatic=tuple(span.span.text for span in reply.pragmatic),
        notes=reply.notes,
        score=reply.score,
    )
