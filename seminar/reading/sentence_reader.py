"""The light reader: the sentence with the best evidence, and how likely it is to be the answer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seminar.logistic import probability
from seminar.protocols import Encoder
from seminar.reading.evidence import coverage, kind_agreement, rarities
from seminar.text import sentences, terms
from seminar.types import Answer, Hit, Query, Span
from seminar.weights import weights_folder

WEIGHTS = weights_folder("sentence-reader") / "weights.json"

FEATURES = (
    "bias",
    "similarity",  # cosine of question and sentence
    "title similarity",  # cosine of question and title
    "coverage",  # of the question's terms by the sentence
    "context coverage",  # by the sentence, the one before it and the heading
    "passage coverage",  # by the whole passage and the heading
    "best coverage",  # by the best passage: low where the files speak of something else
    "kind",  # the sentence shows the kind of thing asked for
    "novelty",  # log of the terms that the question doesn't have: an echo tells nothing
    "rank",  # reciprocal rank of the passage
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence and the evidence for it, in the order of `FEATURES`."""

    span: Span
    features: tuple[float, ...]


class SentenceReader:
    """Scores each sentence by lexical evidence and, for the most promising, by the encoder.

    The probability is a logistic regression over the evidence, fitted on questions with and
    without an answer in the files (`python -m seminar.training.fitting.sentence_reader`).
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        weights: Mapping[str, float] | None = None,
        shortlist: int = 12,
    ) -> None:
        self.encoder = encoder
        self.shortlist = shortlist
        weights = weights or json.loads(WEIGHTS.read_text(encoding="utf-8"))
        self.weights = np.array([weights[name] for name in FEATURES])

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [
            self._answers(self.candidates(query, ranking))
            for query, ranking in zip(queries, hits, strict=True)
        ]

    def _answers(self, candidates: list[Candidate]) -> list[Answer]:
        answers = [
            Answer(candidate.span, probability(float(self.weights @ candidate.features)))
            for candidate in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def candidates(self, query: Query, hits: Sequence[Hit]) -> list[Candidate]:
        """The most promising sentences of the hits, with their evidence."""
        question = query.typed
        lexical = _lexical_evidence(question, hits)
        lexical.sort(key=lambda one: one.promise, reverse=True)
        chosen = lexical[: self.shortlist]
        titles = sorted({one.span.passage.title for one in chosen})
        texts = [question, *(one.span.text for one in chosen), *titles]
        asked, *vectors = self.encoder.encode(texts)
        similarity = [float(asked @ vector) for vector in vectors]
        title_similarity = dict(zip(titles, similarity[len(chosen) :], strict=True))
        return [
            one.with_similarity(near, title_similarity[one.span.passage.title])
            for one, near in zip(chosen, similarity[: len(chosen)], strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _Lexical:
    """What the words alone say of a sentence."""

    span: Span
    sentence: float
    context: float
    passage: float
    best: float
    kind: float
    novelty: float
    rank: float

    @property
    def promise(self) -> float:
        """A rough order, good enough to choose which sentences are worth encoding."""
        return self.sentence + self.context + 0.5 * self.passage + 0.2 * self.kind + 0.3 * self.rank

    def with_similarity(self, sentence: float, title: float) -> Candidate:
        lexical = (self.sentence, self.context, self.passage, self.best, self.kind, self.novelty)
        return Candidate(self.span, (1.0, sentence, title, *lexical, self.rank))


def _lexical_evidence(question: str, hits: Sequence[Hit]) -> list[_Lexical]:
    asked = terms(question)
    bags = [terms(hit.passage.searched) for hit in hits]
    rarity = rarities(bags)
    covered = [coverage(asked, bag, rarity) for bag in bags]
    found: list[_Lexical] = []
    for rank, (hit, passage_coverage) in enumerate(zip(hits, covered, strict=True), start=1):
        passage = hit.passage
        heading, before = terms(passage.heading), set[str]()
        for start, end in sentences(passage.text):
            span = Span(passage, start, end)
            if span.text in passage.heading:  # a heading names what is told, but tells nothing
                continue
            own = terms(span.text)
            found.append(
                _Lexical(
                    span,
                    sentence=coverage(asked, own, rarity),
                    context=coverage(asked, own | before | heading, rarity),
                    passage=passage_coverage,
                    best=max(covered),
                    kind=kind_agreement(question, span.text),
                    novelty=math.log1p(len(own - asked)),
                    rank=1 / rank,
                )
            )
            before = own
    return found
