"""A small reader that answers with whole sentences, scored by a logistic regression."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seminar.logistic import probability
from seminar.protocols import Encoder
from seminar.reading.evidence import coverage, inverse_document_frequencies, kind_agreement
from seminar.text import sentences, terms
from seminar.types import Answer, Hit, Query, Span
from seminar.weights import read_weights

FEATURES = (
    "bias",
    "similarity",  # cosine of question and sentence
    "title similarity",  # cosine of question and title
    "coverage",  # of the question's terms by the sentence
    "context coverage",  # by the sentence, the one before it and the heading
    "passage coverage",  # by the whole passage and the heading
    "best coverage",  # by the best passage: low if the files are about something else
    "kind",  # the sentence contains the expected kind (date, number, name)
    "novelty",  # log of the number of terms that the question does not have
    "rank",  # reciprocal rank of the passage
)


@dataclass(frozen=True, slots=True)
class SentenceCandidate:
    """A sentence with its features in the order of `FEATURES`."""

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
        weights = weights or read_weights("sentence-reader")
        self.weights = np.array([weights[name] for name in FEATURES])

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [
            self._answers(self.candidates(query, ranking))
            for query, ranking in zip(queries, hits, strict=True)
        ]

    def _answers(self, candidates: list[SentenceCandidate]) -> list[Answer]:
        answers = [
            Answer(candidate.span, probability(float(self.weights @ candidate.features)))
            for candidate in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def candidates(self, query: Query, hits: Sequence[Hit]) -> list[SentenceCandidate]:
        """The most promising sentences of the hits, with their features."""
        question = query.typed
        ranked = sorted(_lexical_evidence(question, hits), key=lambda sentence: -sentence.score)
        shortlist = ranked[: self.shortlist]
        titles = sorted({sentence.span.passage.title for sentence in shortlist})
        texts = [question, *(sentence.span.text for sentence in shortlist), *titles]
        question_vector, *vectors = self.encoder.encode(texts)
        cosines = [float(question_vector @ vector) for vector in vectors]
        title_cosines = dict(zip(titles, cosines[len(shortlist) :], strict=True))
        return [
            sentence.with_similarity(cosine, title_cosines[sentence.span.passage.title])
            for sentence, cosine in zip(shortlist, cosines[: len(shortlist)], strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _LexicalEvidence:
    """A sentence with the features that need no encoder."""

    span: Span
    sentence: float
    context: float
    passage: float
    best: float
    kind: float
    novelty: float
    rank: float

    @property
    def score(self) -> float:
        """A rough score that chooses which sentences to encode."""
        return self.sentence + self.context + 0.5 * self.passage + 0.2 * self.kind + 0.3 * self.rank

    def with_similarity(self, sentence: float, title: float) -> SentenceCandidate:
        lexical = (self.sentence, self.context, self.passage, self.best, self.kind, self.novelty)
        return SentenceCandidate(self.span, (1.0, sentence, title, *lexical, self.rank))


def _lexical_evidence(question: str, hits: Sequence[Hit]) -> list[_LexicalEvidence]:
    question_terms = terms(question)
    passage_terms = [terms(hit.passage.searched) for hit in hits]
    idf = inverse_document_frequencies(passage_terms)
    coverages = [coverage(question_terms, own_terms, idf) for own_terms in passage_terms]
    evidence: list[_LexicalEvidence] = []
    for rank, (hit, passage_coverage) in enumerate(zip(hits, coverages, strict=True), start=1):
        passage = hit.passage
        heading, previous = terms(passage.heading), set[str]()
        for start, end in sentences(passage.text):
            span = Span(passage, start, end)
            if span.text in passage.heading:  # a heading names the topic, but answers nothing
                continue
            own = terms(span.text)
            evidence.append(
                _LexicalEvidence(
                    span,
                    sentence=coverage(question_terms, own, idf),
                    context=coverage(question_terms, own | previous | heading, idf),
                    passage=passage_coverage,
                    best=max(coverages),
                    kind=kind_agreement(question, span.text),
                    novelty=math.log1p(len(own - question_terms)),
                    rank=1 / rank,
                )
            )
            previous = own
    return evidence
