"""Trained networks at work in a row: loaded when it is run, as retriever, reader or rewriter."""

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

# Of the end's logit: the paper lowers it until as many answers come as AmbigPrompt gives.
END_PENALTY = 2.0
PART = 5_000  # passages that are encoded together
LIKELY = 1 - DIVERSITY  # as Seminar's own reader of several answers
Predict = Callable[[Sequence[Example], Sequence[Query], Sequence[list[Hit]]], list[Prediction]]

# Where each network's `load(folder)` stands.
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

    def load(self, role: str) -> Any:  # noqa: ANN401  networks have no type outside of their room
        if role not in self._loaded:
            found = self.given[role]
            module = import_module(MODULES[found.network])
            self._loaded[role] = (
                module.published(str(found.folder))
                if found.settings.get("published")
                else module.load(found.folder)
            )
        return self._loaded[role]

    def rewriter(self) -> Rewriter:
        made: Rewriter = self.load("rewriter")
        return made

    def retriever(self, role: str, passages: Sequence[Passage], folder: Path) -> DotProducts:
        """The bi-encoder over a corpus, whose vectors are kept in a folder."""
        own = folder / f"{role}-{self.given[role].fingerprint}-{digest(passages)}"
        sides = self.load(role)
        return DotProducts(sides.questions, passages, encoded(passages, sides.passages, own))

    def judge(self, role: str) -> ConditionalScorer | None:
        """What measures the quality of answers, if it was given."""
        scorer: ConditionalScorer | None = self.load(role) if role in self.given else None
        return scorer

    def reader(self, recipe: Recipe, no_answer: str, *, pragmatic: bool) -> Predict:
        """What a network predicts from a question's passages."""
        loaded = self.load(recipe.reader)
        if pragmatic:
            return _pragmatic(loaded)
        return READERS[self.given[recipe.reader].network](loaded, recipe, no_answer)


def encoded(passages: Sequence[Passage], encoder: Encoder, folder: Path) -> Matrix:
    """The vectors of a corpus, kept in parts: a stopped run goes on after the last of them."""
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
        asked = self._encoder.encode([query.text for query in queries])
        scores = asked @ self._vectors.T  # (queries, passages)
        return [self._best(*pair, k) for pair in zip(queries, scores, strict=True)]

    def _best(self, query: Query, scores: Matrix, k: int) -> list[Hit]:
        within = np.arange(len(scores))
        if query.scope is not None:
            within = np.flatnonzero(self._scopes == query.scope)
        best = within[np.argsort(-scores[within], kind="stable")[: max(k, 0)]]
        return [Hit(self._passages[at], float(scores[at])) for at in best]


def _generated(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Free texts, whether or not a passage holds them: the scorers want what was said."""
    from seminar.networks.papers.fusion.reader import input_of

    return _saying(reader, no_answer, lambda query, hits: input_of(query.text, hits, len(hits)))


def _fused(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Fusion-in-Decoder, decoded as the recipe says."""
    if recipe.decoding:
        from seminar.networks.papers.fusion.decoding import DECODINGS, fewer_ends
        from seminar.networks.papers.fusion.reader import FusionReader

        known = {**DECODINGS, "fewer-ends": fewer_ends(END_PENALTY)}
        reader = FusionReader(reader.network, reader.text, decode=known[recipe.decoding])
    return _generated(reader, recipe, no_answer)


def _written(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Text to text: a passage as it stands, without a heading that its network never saw."""
    from seminar.networks.papers.fusion.reader import FusionInput

    def asked(query: Query, hits: Sequence[Hit]) -> FusionInput:
        return FusionInput(query.text, tuple(hit.passage.text for hit in hits))

    return _saying(reader, no_answer, asked)


def _saying(
    reader: Any,  # noqa: ANN401
    no_answer: str,
    asked: Callable[[Query, Sequence[Hit]], FusionInput],
) -> Predict:
    """A reader that writes, given what it is asked of each question's passages."""

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        texts = reader.answers([asked(*pair) for pair in zip(queries, hits, strict=True)])
        return _told(examples, texts, no_answer)

    return predict


def _pragmatic(reader: Any) -> Predict:  # noqa: ANN401
    """Fusion-in-Decoder in PragmatiCQA's form: literal spans, pragmatic spans, an answer."""
    from seminar.networks.papers.fusion.pragmatic_targets import read_target
    from seminar.networks.papers.fusion.reader import conversation_text, input_of

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        asked = [
            input_of(conversation_text(query), found, len(found))
            for query, found in zip(queries, hits, strict=True)
        ]
        targets = [read_target(said[0].text) for said in reader.generate(asked)]
        return [
            Prediction(one.id, told.answer, literal=told.literal, pragmatic=told.pragmatic)
            for one, told in zip(examples, targets, strict=True)
        ]

    return predict


def _located(reader: Any, recipe: Recipe, no_answer: str) -> Predict:  # noqa: ANN401
    """Spans of the passages; of several those that are nearly as probable as the best."""

    def predict(
        examples: Sequence[Example], queries: Sequence[Query], hits: Sequence[list[Hit]]
    ) -> list[Prediction]:
        found = reader.read(queries, hits)
        likely = [[one for one in own if one.score >= LIKELY * own[0].score] for own in found]
        return _told(examples, likely, no_answer)

    return predict


def _told(
    examples: Sequence[Example], said: Sequence[Sequence[Answer | GeneratedText]], no_answer: str
) -> list[Prediction]:
    """The first text of each question, and all of them; no answer where there is none."""
    texts = [[one.text for one in own] for own in said]
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
