"""Regions: the parts of the hits that a reader reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seminar.protocols import Encoder
from seminar.reading.evidence import coverage, inverse_document_frequencies, kind_agreement
from seminar.text import count_words, sentences, terms
from seminar.types import SEPARATOR, Hit, Passage, Query

RANK_WEIGHT = 0.5  # of the reciprocal rank, relative to the coverage of the question's terms
HISTORY_WEIGHT = 0.5  # terms of earlier turns locate the region, but are not asked for


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, characters start:end of its passage.

    `coverage` is the share of the question's terms in it, the sentence before it and the heading.
    """

    start: int
    end: int
    coverage: float


@dataclass(frozen=True, slots=True)
class Region:
    """Adjacent sentences of a passage that are read together.

    `coverage` is the share of the question's terms in the passage and its heading, and `best` that
    of the best hit, which is low if the files are about something else.
    """

    passage: Passage
    sentences: tuple[Sentence, ...]
    rank: int
    coverage: float
    best: float

    @property
    def start(self) -> int:
        return self.sentences[0].start

    @property
    def end(self) -> int:
        return self.sentences[-1].end

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    def sentence_at(self, offset: int) -> Sentence:
        """The sentence at an offset of the passage, or the next one."""
        return next(
            (sentence for sentence in self.sentences if offset < sentence.end), self.sentences[-1]
        )


@dataclass(frozen=True, slots=True)
class _QueryTerms:
    """The terms of the typed and of the searched question, with their IDF among the hits."""

    question: str
    typed: set[str]
    searched: set[str]
    idf: dict[str, float]

    def coverage_by(self, text: set[str]) -> float:
        """The share of the terms that a text contains, between 0 and 1."""
        typed = coverage(self.typed, text, self.idf)
        searched = coverage(self.searched, text, self.idf)
        return (typed + HISTORY_WEIGHT * searched) / (1 + HISTORY_WEIGHT)


def narrow(
    query: Query,
    hits: Sequence[Hit],
    *,
    regions: int,
    size: int,
    encoder: Encoder | None = None,
) -> list[Region]:
    """Select one region of about `size` words from each of the most promising hits, in their order.

    Hits are chosen by shared terms plus rank plus, with an encoder, similarity to the question.
    """
    question = query.typed
    passage_terms = [terms(hit.passage.searched) for hit in hits]
    idf = inverse_document_frequencies(passage_terms)
    query_terms = _QueryTerms(question, terms(question), terms(query.text), idf)
    coverages = [query_terms.coverage_by(own_terms) for own_terms in passage_terms]
    best = max(coverages, default=0.0)
    candidates = [
        Region(hit.passage, cropped, hit.rank or position, coverage=share, best=best)
        for position, (hit, share) in enumerate(zip(hits, coverages, strict=True), start=1)
        if (cropped := _crop(hit.passage, query_terms, size))
    ]
    if len(candidates) <= regions:
        return candidates
    scores = [region.coverage + RANK_WEIGHT / (region.rank + 1) for region in candidates]
    if encoder is not None:
        texts = [f"{region.passage.title}\n{region.text}" for region in candidates]
        cosines = similarities(query, texts, encoder)
        scores = [score + cosine for score, cosine in zip(scores, cosines, strict=True)]
    best_first = sorted(range(len(candidates)), key=lambda at: -scores[at])
    return [candidates[at] for at in sorted(best_first[:regions])]


def similarities(query: Query, texts: Sequence[str], encoder: Encoder) -> list[float]:
    """The cosine of each text and the question as searched."""
    # All turns joined are similar to everything in the dialogue: the question alone is compared.
    question = query.question if SEPARATOR in query.text else query.text
    question_vector, *vectors = encoder.encode([question, *texts])
    return [float(question_vector @ vector) for vector in vectors]


def _crop(passage: Passage, query_terms: _QueryTerms, size: int) -> tuple[Sentence, ...]:
    """The best sentence with as many neighbours as fit, taken alternately after and before it."""
    scored = _scored_sentences(passage, query_terms)
    lengths = [count_words(passage.text[sentence.start : sentence.end]) for sentence in scored]
    if sum(lengths) <= size:
        return tuple(scored)
    first = last = _most_promising(passage, scored, query_terms)
    remaining = size - lengths[first]
    while True:
        after = last + 1 < len(scored) and lengths[last + 1] <= remaining
        if after:
            last += 1
            remaining -= lengths[last]
        before = first > 0 and lengths[first - 1] <= remaining
        if before:
            first -= 1
            remaining -= lengths[first]
        if not after and not before:
            return tuple(scored[first : last + 1])


def _scored_sentences(passage: Passage, query_terms: _QueryTerms) -> list[Sentence]:
    spans = sentences(passage.text)
    sentence_terms = [terms(passage.text[start:end]) for start, end in spans]
    previous_terms = [set[str](), *sentence_terms]
    heading = terms(passage.heading)
    return [
        Sentence(start, end, query_terms.coverage_by(own | previous | heading))
        for (start, end), own, previous in zip(spans, sentence_terms, previous_terms, strict=False)
    ]


def _most_promising(passage: Passage, scored: Sequence[Sentence], query_terms: _QueryTerms) -> int:
    """The position of the sentence that matches the question best."""
    texts = [passage.text[sentence.start : sentence.end] for sentence in scored]
    scores = [
        query_terms.coverage_by(terms(text))
        + sentence.coverage
        + 0.2 * kind_agreement(query_terms.question, text)
        for sentence, text in zip(scored, texts, strict=True)
    ]
    return scores.index(max(scores))
