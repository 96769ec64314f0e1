"""The product as a system: its own stages over an example's context or over a dataset's corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from seminar.assistant import Assistant
from seminar.baselines.okapi import Okapi
from seminar.baselines.sections import section_text
from seminar.datasets.conversations.qaconv import scope
from seminar.datasets.conversations.qaconv_chunks import chunks_of
from seminar.errors import DatasetError
from seminar.evaluation.corpora import corpus, indexed
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.runs import digest
from seminar.evaluation.setup import Bench, System
from seminar.evaluation.suites.catalog import find_task
from seminar.examples import Example, dialogue_of
from seminar.ingestion.passages import split
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever
from seminar.stages import build_assistant, build_retriever
from seminar.types import Affirmation, Continuation, Document, Hit, Passage, Query, Reply, Section

Search = Callable[[Sequence[Example], list[Query]], list[list[Hit]]]

YESNO: dict[Affirmation, str] = {"yes": "y", "no": "n", "neither": "x"}
FOLLOWUP: dict[Continuation, str] = {"follow up": "y", "maybe": "m", "don't": "n"}
# Datasets whose questions are asked of a corpus, not of a context that comes with each.
OPEN = {"topiocqa", "qaconv"}


def assistant(bench: Bench) -> System:
    """The assistant that `seminar ask` puts together, on this split."""
    if bench.dataset in OPEN and not bench.name.endswith("-chunk"):
        found = list(corpus(bench))
        retriever = _retriever(bench, found)
        made = build_assistant(retriever, bench.settings)
        search = search_corpus(made.retriever, made.k, bench)
        note, material = f"searched {len(found):,} passages", digest(found)
        return System(_answering(bench, made, search), note=note, material=material)
    if bench.dataset == "qaconv":
        made = build_assistant(Okapi(()), bench.settings)
        chunks, _ = chunks_of(bench.root)
        note, material = "read the question's own chunk", digest(chunks)
        return System(_answering(bench, made, search_chunk(chunks)), note=note, material=material)
    if not any(example.context for example in bench.examples):
        raise DatasetError(
            f"{bench.name} gives no context and has no corpus: the assistant has nothing to read"
        )
    made = build_assistant(Okapi(()), bench.settings)  # its retriever is never asked
    return System(_answering(bench, made, search_context(made.k)), note="read the given context")


def _retriever(bench: Bench, found: Iterable[Passage]) -> Retriever:
    encoder = load_encoder(bench.settings.encoder)
    return build_retriever(indexed(bench, found), encoder, scope=bench.settings.scope)


def _answering(
    bench: Bench, made: Assistant, search: Search
) -> Callable[[Sequence[Example]], list[Prediction]]:
    no_answer = find_task(bench.name).no_answer

    def predict(examples: Sequence[Example]) -> list[Prediction]:
        dialogues = [dialogue_of(example, no_answer) for example in examples]
        queries = made.rewriter.rewrite(dialogues, [example.question for example in examples])
        replies = made.answer(dialogues, queries, search(examples, queries))
        return [prediction_of(*pair, no_answer) for pair in zip(examples, replies, strict=True)]

    return predict


def search_corpus(retriever: Retriever, k: int, bench: Bench) -> Search:
    """Search an index, within the conversations that a question of QAConv was asked about."""
    scoped = bench.dataset == "qaconv"

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        if scoped:
            pairs = zip(examples, queries, strict=True)
            queries = [replace(query, scope=scope(one.sources[0])) for one, query in pairs]
        return retriever.search(queries, k)

    return search


def search_chunk(chunks: Iterable[Passage]) -> Search:
    """Give each question the chunk that it was asked about, speakers and all."""
    named = {chunk.source: chunk for chunk in chunks}

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        return [
            [Hit(named[one.source], 1.0) for one in example.gold.evidence[:1]]
            for example in examples
        ]

    return search


def search_context(k: int) -> Search:
    """Cut each context into passages and rank them by the words that they share with the query."""

    def search(examples: Sequence[Example], queries: list[Query]) -> list[list[Hit]]:
        pools = {section_text(one): Okapi(split(_document(one))) for one in examples}
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
    """A reply in the form that scorers read."""
    # The spans alone: a reply says "Yes" in words as well, the scorers want it apart.
    answer = " ".join(span.text for span in reply.literal) if reply.answerable else no_answer
    others = tuple(one.answer.span.text for one in reply.alternatives)
    return Prediction(
        id=example.id,
        answer=answer,
        yesno=YESNO[reply.affirmation],
        followup=FOLLOWUP[reply.continuation],
        answers=(answer, *others) if reply.answerable else (),
        literal=tuple(span.text for span in reply.literal),
        pragmatic=tuple(one.span.text for one in reply.pragmatic),
        notes=reply.notes,
    )
