"""Extras: sentences beside the literal answer that the asker may want next, by a trained scorer.

The scorer is a logistic regression over evidence that PragmatiCQA's teachers would add a sentence
to an answer (`python -m seminar.training.fitting.pragmatic`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seminar.answering.already_told import Shown, enclosing, sentence_spans
from seminar.answering.names import names
from seminar.answering.prose import is_prose
from seminar.protocols import Encoder
from seminar.text import count_words, terms
from seminar.types import Hit, Pragmatic, Query, Span
from seminar.weights import read_weights

LIMIT = 1
BAR = 0.2  # the least chance of a sentence that is added
LEAD = 0.76  # the share of new terms from which a sentence leads on instead of completing
HITS = 5

FEATURES = (
    "bias",
    "question similarity",  # cosine of question and sentence
    "literal similarity",  # cosine of the answer's sentence and the sentence
    "question coverage",  # share of the question's terms that the sentence has
    "literal overlap",  # share of the sentence's terms that the answer's sentence has
    "novelty",  # share of the sentence's terms that was not shown yet
    "names",  # log of the names in it that were not shown yet
    "number",  # it has a number
    "same passage",  # as the answer
    "rank",  # reciprocal rank of its passage
    "length",  # log of its words
    "short",  # fewer than ten words
)
_NOVELTY = FEATURES.index("novelty")
_REFERS = re.compile(
    r"(?:He|She|It|They|His|Her|Its|Their|This|That|These|Those|Here|And|But|So|Then|Thus|However|"
    r"Also|Instead|Otherwise|Therefore)\b"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that could be added, and the evidence for it in the order of `FEATURES`."""

    span: Span
    features: tuple[float, ...]

    @property
    def pragmatic(self) -> Pragmatic:
        """The sentence with its role: mostly new words lead on, others complete what was asked."""
        return Pragmatic(self.span, "lead" if self.features[_NOVELTY] >= LEAD else "next question")


class Pragmatics:
    """Chooses what to add to an answer: at most `limit` sentences whose chance reaches `bar`."""

    def __init__(
        self,
        encoder: Encoder,
        *,
        weights: Mapping[str, float] | None = None,
        limit: int = LIMIT,
        bar: float = BAR,
    ) -> None:
        self.encoder = encoder
        self.limit, self.bar = limit, bar
        weights = weights or read_weights("pragmatic")
        self.weights = np.array([weights[name] for name in FEATURES])

    def choose(
        self, query: Query, hits: Sequence[Hit], *, literal: Span, shown: Shown
    ) -> tuple[Pragmatic, ...]:
        """The sentences to add, best first; none repeats what was shown, or another of them."""
        chosen: list[Pragmatic] = []
        shown = shown.add([literal])
        for candidate in self.ranked(self.candidates(query, hits, literal=literal, shown=shown)):
            if len(chosen) == self.limit:
                break
            if not shown.repeats(candidate.span):
                chosen.append(candidate.pragmatic)
                shown = shown.add([candidate.span])
        return tuple(chosen)

    def ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates whose chance reaches the bar, best first."""
        if not candidates:
            return []
        odds = np.array([one.features for one in candidates]) @ self.weights  # (candidates,)
        chances = 1 / (1 + np.exp(-odds))
        order = np.argsort(-chances, kind="stable")
        return [candidates[at] for at in order if chances[at] >= self.bar]

    def candidates(
        self, query: Query, hits: Sequence[Hit], *, literal: Span, shown: Shown
    ) -> list[Candidate]:
        """The sentences of the answer's passage and of the best hits that were not shown."""
        evidence = _Evidence(query.typed, enclosing(literal), shown)
        found = [
            (span, rank)
            for rank, hit in enumerate(hits, start=1)
            if rank <= HITS or hit.passage.id == literal.passage.id
            for span in sentence_spans(hit.passage)
            if is_prose(span) and _is_understood(span, literal) and not shown.repeats(span)
        ]
        if not found:
            return []
        texts = [evidence.question, evidence.answer.text, *(span.text for span, _ in found)]
        asked, answered, *vectors = self.encoder.encode(texts)
        return [
            Candidate(
                span, evidence.features(span, rank, float(asked @ vector), float(answered @ vector))
            )
            for (span, rank), vector in zip(found, vectors, strict=True)
        ]


def _is_understood(span: Span, literal: Span) -> bool:
    """Whether a sentence says what it is about, or follows the answer's sentence directly."""
    if not _REFERS.match(span.text):
        return True
    answer = enclosing(literal)
    between = span.passage.text[answer.end : span.start]
    return (
        span.passage.id == answer.passage.id
        and span.start - answer.end >= 0
        and not between.strip()
    )


class _Evidence:
    """What a sentence is compared with: the question, the answer's sentence, what was shown."""

    def __init__(self, question: str, answer: Span, shown: Shown) -> None:
        self.question, self.answer = question, answer
        self._asked, self._answered = terms(question), terms(answer.text)
        self._known = shown.terms | self._asked

    def features(
        self, span: Span, rank: int, to_question: float, to_answer: float
    ) -> tuple[float, ...]:
        own, length = terms(span.text), count_words(span.text)
        new_names = [name for name in names(span.text) if not terms(name) <= self._known]
        return (
            1.0,
            to_question,
            to_answer,
            len(own & self._asked) / max(1, len(self._asked)),
            len(own & self._answered) / len(own),
            len(own - self._known) / len(own),
            math.log1p(len(new_names)),
            float(any(character.isdigit() for character in span.text)),
            float(span.passage.id == self.answer.passage.id),
            1 / rank,
            math.log(length),
            float(length < 10),
        )
