"""Trained networks as retriever, reader or rewriter of a row, loaded when it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seminar.evaluation.grids.grid import Recipe
from seminar.evaluation.grids.roles import Trained
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.runs import digest
from seminar.examples import Example
from seminar.metrics.measures.bartscore import ConditionalScorer
from seminar.protocols import Encoder, Rewriter
from seminar.reading.iterative import DIVERSITY
from seminar.types import Answer, Hit, Matrix, Passage, Query

if TYPE_CHECKING:
    from seminar.networks.papers.fusion.reader import FusionInput, GeneratedText

# On the logit of the end token: the paper tunes it to AmbigPrompt's number of answers.
END_PENALTY = 2.0
PART = 5_000  # passages encoded together
LIKELY = 1 - DIVERSITY  # as in Seminar's own reader of several answers
Predict = Callable[[Sequence[Example], Sequence[Query], Sequence[list[Hit]]], list[Prediction]]

# The module of each network's `load(folder)`.
MODULES = {
    "AmbigPrompt": "seminar.networks.papers.ambigprompt.reader",
    "AnsweringNetwork": "seminar.networks.papers.seq2seq.answering",
    "BartScorer": "seminar.networks.papers.bartscore",
    "BiEncoder": "seminar.networks.papers.dpr.bi_encoder",
    "BidafNetwork": "seminar.networks.papers.bidaf.reader",
    "DprReader": "seminar.networks.papers.dpr.reader",
    "FusionInDecoder": "seminar.networks.papers.fusion.reader",
    "RewritingNetwork": "seminar.networks.papers.seq2seq.rewriting",
    "SpanQa": "seminar.networks.papers.span_qa.network",
}


@dataclass(frozen=True)
class Networks:
    """The networks of a grid by role; each is loaded once."""

    given: Mapping[str, Trained]
    _loaded: dict[str, Any] = field(default_factory=dict, repr=False)

    def used(self, recipe: Recipe) -> dict[str, Trained]:
        """The networks that fill a recipe's row."""
        roles = (*recipe.roles, *recipe.may_use)
        return {role: self.given[role] for role in roles if role in self.given}

    def load(self, role: str) -> Any:  # noqa: ANN401  networks are typed in their own package only
        if role not in self._loaded:
            network = self.given[role]
            module = import_module(MODULES[network.network])
            self._loaded[role] = (
                module.published(str(network.folder))
                if network.settings.get("published")
                else module.load(network.folder)
            )
        return self._loaded[role]

    def rewriter(self) -> Rewriter:
        rewriter: Rewriter = self.load("rewriter")
        return rewriter

    def retriever(self, role: str, passages: Sequence[Passage], folder: Path) -> DotProducts:
        """The bi-encoder over a corpus, its vectors cached in a folder."""
        own = folder / f"{role}-{self.given[role].fingerprint}-{digest(passages)}"
        sides = self.load(role)
        return DotProducts(sides.questions, passages, encoded(passages, sides.passages, own))

    def judge(self, role: str) -> ConditionalScorer | None:
        """The network that measures the quality of answers, if it was given."""
        scorer: ConditionalScorer | None = self.load(role) if role in self.given else None
        return scorer

    def reader(self, recipe: Recipe, no_answer: str, *, pragmatic: bool) -> Predict:
        """A predictor that reads a question's passages with a network."""
        loaded = self.load(recipe.reader)
        if pragmatic:
            return _pragmatic(loaded)
        return READERS[self.given[recipe.reader].network](loaded, recipe, no_answer)


def encoded(passages: Sequence[Passage], encoder: Encoder, folder: Path) -> Matrix:
    """The vectors of a corpus, saved in parts: a stopped run resumes after the last of them."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for at in range(0, len(passages), PART):
        file = folder / f"{at}.npy"
        if not file.exists():
            texts = [passage.searched for passage in passages[at : at + PART]]
            _save(file, encoder.encode(texts))
        parts.append(np.load(file))
    return np.concatenate(parts)


def _save(file: Path, vectors: Matrix) -> None:
    part = file.with_suffix(".part.npy")
    np.save(part, vectors)
    part.replace(file)


class DotProducts:
    """Every passage by the dot product of its vector with the question's, as DPR scores."""

    def __init__(self, encoder: Encoder, passages: Sequence[Passage], vectors: Matrix) -> None:
        self._encoder, self._passages, self._vectors = encoder, passages, vectors
        self._scopes = np.array([passage.scope for passage in passages])

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        if not queries:
            return []
        vectors = self._encoder.encode([query.text for query in queries])
        scores = vectors @ self._vectors.T  # (queries, passages)
        return [self._best(*pair, k) for pair in zip(queries, scores, strict=True)]

    def _best(self, query: Query, scores: Matrix, k: int) -> list[Hit]:
        within = np.arange(len(scores))
        if query.scope is not None:
            within = np.flatnonzero(self._scopes == query.scope)
        best = within[np.argsort(-scores[within], kind="stable")[: max(k, 0)]]
        return [Hit(self._passages[at], float(scores[at])) for at in best]


def _generated(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Generated texts, whether or not a passage holds them."""
    from seminar.networks.papers.fusion.reader import input_of

    return _generating(reader, no_answer, lambda query, hits: input_of(query.text, hits, len(hits)))


def _fused(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Fusion-in-Decoder, decoded as the recipe says."""
    if recipe.decoding:
        from seminar.networks.papers.fusion.decoding import DECODINGS, fewer_ends
        from seminar.networks.papers.fusion.reader import FusionReader

        known = {**DECODINGS, "fewer-ends": fewer_ends(END_PENALTY)}
        reader = FusionReader(reader.network, reader.text, decode=known[recipe.decoding])
    return _generated(reader, recipe, no_answer)


def _written(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Text to text: a passage without its heading, as the network was trained."""
    from seminar.networks.papers.fusion.reader import FusionInput

    def make_input(query: Query, hits: Sequence[Hit]) -> FusionInput:
        return FusionInput(query.text, tuple(hit.passage.text for hit in hits))

    return _generating(reader, no_answer, make_input)


def _generating(
    reader: Any,  # noqa: ANN401
    no_answer: str,
    make_input: Callable[[Query, Sequence[Hit]], FusionInput],
) -> Predict:
    """A reader that generates text from the input made of a question and its passages."""

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        texts = reader.answers([make_input(*pair) for pair in zip(queries, hits, strict=True)])
        return _predictions(examples, texts, no_answer)

    return predict


def _pragmatic(reader: Any) -> Predict:  # noqa: ANN401
    """Fusion-in-Decoder in PragmatiCQA's form: literal spans, pragmatic spans, an answer."""
    from seminar.networks.papers.fusion.pragmatic_targets import read_target
    from seminar.networks.papers.fusion.reader import input_of, question_with_history

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        inputs = [
            input_of(question_with_history(query), own, len(own))
            for query, own in zip(queries, hits, strict=True)
        ]
        targets = [read_target(texts[0].text) for texts in reader.generate(inputs)]
        return [
            Prediction(
                example.id, target.answer, literal=target.literal, pragmatic=target.pragmatic
            )
            for example, target in zip(examples, targets, strict=True)
        ]

    return predict


def _located(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Spans of the passages; of several those that are nearly as probable as the best."""

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        answers = reader.read(queries, hits)
        likely = [
            [answer for answer in own if answer.score >= LIKELY * own[0].score] for own in answers
        ]
        return _predictions(examples, likely, no_answer)

    return predict


def _predictions(
    examples: Sequence[Example], answers: Sequence[Sequence[Answer | GeneratedText]], no_answer: str
) -> list[Prediction]:
    """The first text of each question, and all of them; no answer where there is none."""
    texts = [[answer.text for answer in own] for own in answers]
    return [
        Prediction(example.id, own[0] if own else no_answer, answers=tuple(own))
        for example, own in zip(examples, texts, strict=True)
    ]


READERS: dict[str, Callable[[Any, Recipe, str], Predict]] = {
    "AmbigPrompt": _generated,
    "AnsweringNetwork": _written,
    "DprReader": _located,
    "FusionInDecoder": _fused,
    "SpanQa": _located,
}
