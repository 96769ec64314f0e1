"""The trained reader over ranked passages: exact spans, yes or no, each with a probability."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seminar.logistic import probability
from seminar.models.reader.model import Inquiry, ReaderModel
from seminar.protocols import Encoder
from seminar.reading.answer_units import asks_to_explain, complete
from seminar.reading.candidates import (
    CLIP,
    Candidate,
    candidates_in,
    clipped,
    merge_same,
    verified,
)
from seminar.reading.evidence import kind_agreement
from seminar.reading.polarity import asks_yes_or_no
from seminar.reading.regions import Region, narrow, similarities
from seminar.types import Affirmation, Answer, Hit, Query, Span

REGIONS = 5
REGION_SPANS = 3
REGION_WORDS = 160
LONGEST_ANSWER = 30
VERIFIED = 4  # candidates per question whose sentence is read by itself
AFFIRMED = 0.35  # least probability of a yes or no (docs/reading.md)

FEATURES = (
    "bias",
    "span",  # log odds of the span against "not in this text"; 0 for yes and no
    "evidence",  # the same for yes and no only
    "type",  # log odds of any type of answer against "no answer", and "end" if some are known
    "polar type",  # the same for yes and no only
    "lead",  # strength beyond that of the best other candidate
    "share",  # log of its share among all candidates of the question
    "agreement",  # log of the number of passages that give it
    "verified",  # log odds that its sentence by itself answers the question
    "verified span",  # log odds of a span in that sentence; 0 for yes and no
    "polar verified",  # `verified` for yes and no only
    "sentence coverage",  # of the question's terms by the sentence, the one before and the heading
    "coverage",  # by the passage
    "best coverage",  # by the best hit: low if the files are about something else
    "similarity",  # cosine of the searched question and the sentence
    "kind",  # the span is of the expected kind (date, number, name)
    "rank",  # reciprocal rank of the passage
    "polar",  # it is a yes or a no
    "follow-up",  # the question has a history
    "explanation",  # the question asks why or how
)

AFFIRMATION_FEATURES = (
    "bias",
    "region",  # log odds of the predicted side, from the region
    "sentence",  # the same, from the sentence by itself
    "least",  # the lesser of the two
    "answered",  # log odds that the sentence answers
    "type",  # log odds that the region answers
    "yes",  # it is a yes
    "follow-up",
)


@dataclass(frozen=True, slots=True)
class Featured:
    """A candidate with its features in the order of `FEATURES` and `AFFIRMATION_FEATURES`."""

    candidate: Candidate
    features: tuple[float, ...]
    affirmation_features: tuple[float, ...]

    @property
    def span(self) -> Span:
        return self.candidate.span

    @property
    def affirmation(self) -> Affirmation:
        return self.candidate.affirmation


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of two logistic regressions: that an answer is right, and that its yes or no is."""

    answer: Mapping[str, float]
    affirmation: Mapping[str, float]

    @classmethod
    def zero(cls) -> Calibration:
        """Weights of zero, for fitting."""
        return cls(dict.fromkeys(FEATURES, 0.0), dict.fromkeys(AFFIRMATION_FEATURES, 0.0))


class SpanReader:
    """Reads one region of each of the most promising hits, all in one batch.

    The sentences of the best candidates are then read by themselves, which verifies that they
    answer the question. An answer's score is the probability that its words answer; a yes or no is
    given only if its own probability reaches `AFFIRMED`. Both regressions are fitted on questions
    with and without an answer (`python -m seminar.training.fitting.calibration`).
    """

    def __init__(
        self,
        model: ReaderModel,
        encoder: Encoder,
        *,
        calibration: Calibration,
        regions: int = REGIONS,
        spans: int = REGION_SPANS,
        size: int = REGION_WORDS,
        longest: int = LONGEST_ANSWER,
    ) -> None:
        self.model, self.encoder = model, encoder
        self._answer = np.array([calibration.answer[name] for name in FEATURES])
        self._affirmation = np.array(
            [calibration.affirmation[name] for name in AFFIRMATION_FEATURES]
        )
        self.regions, self.spans, self.size, self.longest = regions, spans, size, longest

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [
            self._answers(query, candidates)
            for query, candidates in zip(queries, self.candidates(queries, hits), strict=True)
        ]

    def _answers(self, query: Query, candidates: Sequence[Featured]) -> list[Answer]:
        answers = [
            Answer(
                complete(query.typed, candidate.span),
                probability(float(self._answer @ candidate.features)),
                self._decided_affirmation(candidate),
            )
            for candidate in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def _decided_affirmation(self, candidate: Featured) -> Affirmation:
        """The yes or no of a candidate if it is probable enough."""
        p = probability(float(self._affirmation @ candidate.affirmation_features))
        return candidate.affirmation if p >= AFFIRMED else "neither"

    def candidates(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Featured]]:
        """The possible answers to each query, with their features."""
        rankings = [
            narrow(query, ranking, regions=self.regions, size=self.size, encoder=self.encoder)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        inquiries = [
            _inquiry(query, region)
            for query, regions in zip(queries, rankings, strict=True)
            for region in regions
        ]
        findings = iter(self.model.read(inquiries, longest=self.longest, spans=self.spans))
        candidates = [
            [
                candidate
                for region in regions
                for candidate in candidates_in(
                    query, region, next(findings), polar=asks_yes_or_no(query.typed)
                )
            ]
            for query, regions in zip(queries, rankings, strict=True)
        ]
        verified_candidates = self._verified(queries, [merge_same(group) for group in candidates])
        return [
            _featured(query, group, self._similarities(query, group))
            for query, group in zip(queries, verified_candidates, strict=True)
        ]

    def _verified(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Candidate]]:
        """All candidates, the strongest of each query with the scores of their sentence by itself.

        In a region, another sentence may answer the question or contradict the candidate.
        """
        strongest = [group[:VERIFIED] for group in candidates]
        inquiries = [
            _sentence_inquiry(query, candidate)
            for query, group in zip(queries, strongest, strict=True)
            for candidate in group
        ]
        distinct = list(dict.fromkeys(inquiries))
        results = self.model.read(distinct, longest=self.longest, spans=1)
        findings = {
            inquiry: spans[0] for inquiry, spans in zip(distinct, results, strict=True) if spans
        }
        readings = iter([findings[inquiry] for inquiry in inquiries])
        return [
            [*(verified(candidate, next(readings)) for candidate in best), *group[VERIFIED:]]
            for best, group in zip(strongest, candidates, strict=True)
        ]

    def _similarities(self, query: Query, candidates: Sequence[Candidate]) -> list[float]:
        """The cosine of the searched question and each candidate's sentence with its title."""
        if not candidates:
            return []
        texts = [_titled_sentence(candidate) for candidate in candidates]
        distinct = list(dict.fromkeys(texts))
        cosines = dict(zip(distinct, similarities(query, distinct, self.encoder), strict=True))
        return [cosines[text] for text in texts]


def _titled_sentence(candidate: Candidate) -> str:
    return f"{candidate.region.passage.title}\n{candidate.sentence.text}"


def _inquiry(query: Query, region: Region) -> Inquiry:
    return Inquiry(query.typed, region.text, region.passage.heading, query.history, query.found)


def _sentence_inquiry(query: Query, candidate: Candidate) -> Inquiry:
    """The question about the candidate's sentence by itself."""
    heading = candidate.region.passage.heading
    return Inquiry(query.typed, candidate.sentence.text, heading, query.history)


def _featured(
    query: Query, candidates: Sequence[Candidate], cosines: Sequence[float]
) -> list[Featured]:
    """Each candidate with its features."""
    shares = _shares(candidates)
    return [
        Featured(
            candidate,
            _answer_features(query, candidate, candidates, share, similarity),
            _affirmation_features(query, candidate),
        )
        for candidate, share, similarity in zip(candidates, shares, cosines, strict=True)
    ]


def _answer_features(
    query: Query,
    candidate: Candidate,
    candidates: Sequence[Candidate],
    share: float,
    similarity: float,
) -> tuple[float, ...]:
    polar = candidate.yes is not None
    verification = candidate.verification
    return (
        1.0,
        0.0 if polar else candidate.span_odds,
        candidate.span_odds if polar else 0.0,
        candidate.type_odds,
        candidate.type_odds if polar else 0.0,
        _lead(candidate, candidates),
        share,
        math.log(candidate.agreement),
        verification.answered,
        0.0 if polar else verification.span,
        verification.answered if polar else 0.0,
        candidate.region.sentence_at(candidate.span.start).coverage,
        candidate.region.coverage,
        candidate.region.best,
        similarity,
        # Names are recognised by capitals, which do not count at the start of a sentence.
        kind_agreement(query.typed, f"the {candidate.span.text}"),
        1 / candidate.region.rank,
        float(polar),
        float(bool(query.history)),
        float(asks_to_explain(query.typed)),
    )


def _affirmation_features(query: Query, candidate: Candidate) -> tuple[float, ...]:
    """Evidence for the predicted side, yes or no; zeros if the question asks for neither."""
    if candidate.yes is None:
        return (0.0,) * len(AFFIRMATION_FEATURES)
    sign = 1.0 if candidate.affirmation == "yes" else -1.0
    region, sentence = sign * candidate.yes, sign * candidate.verification.yes
    return (
        1.0,
        region,
        sentence,
        min(region, sentence),
        candidate.verification.answered,
        candidate.type_odds,
        float(candidate.affirmation == "yes"),
        float(bool(query.history)),
    )


def _lead(candidate: Candidate, candidates: Sequence[Candidate]) -> float:
    others = [other.strength for other in candidates if other is not candidate]
    return clipped(candidate.strength - max(others)) if others else CLIP


def _shares(candidates: Sequence[Candidate]) -> list[float]:
    """The log of each candidate's share of a softmax over all candidates of the question."""
    if not candidates:
        return []
    strengths = np.array([candidate.strength for candidate in candidates])
    return [clipped(float(x)) for x in strengths - np.logaddexp.reduce(strengths)]
