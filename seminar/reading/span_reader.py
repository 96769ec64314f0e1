"""The trained reader over rankings: exact spans, yes or no, and the probability of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
from seminar.types import SEPARATOR, Affirmation, Answer, Hit, Query, Span

REGIONS = 5
REGION_SPANS = 3
REGION_WORDS = 160
LONGEST_ANSWER = 30
VERIFIED = 4  # candidates of a question whose sentence is read by itself
AFFIRMED = 0.5  # probability from which a yes or no is said (docs/reading.md)

FEATURES = (
    "bias",
    "span",  # log odds of the span against "not in this text"; 0 for yes and no
    "evidence",  # the same of the sentence that shows a yes or no; 0 for others
    "type",  # log odds of any type of answer against "no answer", and "end" if some were found
    "polar type",  # the same for yes and no only
    "lead",  # distance to the best other answer
    "share",  # log of its share among all candidates of the question
    "agreement",  # log of the number of passages that give it
    "verified",  # log odds that its sentence by itself answers
    "verified span",  # log odds of a span in that sentence; 0 for yes and no
    "polar verified",  # `verified` for yes and no only
    "sentence coverage",  # of the question's terms by the sentence, the one before and the heading
    "coverage",  # by the passage
    "best coverage",  # by the best hit: low where the files are about something else
    "similarity",  # cosine of the searched question and the sentence
    "kind",  # the span is of the kind that is asked for
    "rank",  # reciprocal rank of the passage
    "polar",  # it is a yes or a no
    "follow-up",  # the question has a history
    "explanation",  # why or how is asked
)

AFFIRMATION_FEATURES = (
    "bias",
    "region",  # log odds of the said side, read in the region
    "sentence",  # the same, read in the sentence by itself
    "least",  # the lesser of the two
    "answered",  # log odds that the sentence answers
    "type",  # log odds that the region answers
    "yes",  # it is a yes
    "follow-up",
)


@dataclass(frozen=True, slots=True)
class Featured:
    """A candidate with its evidence in the order of `FEATURES` and `AFFIRMATION_FEATURES`."""

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
    """Weights of two logistic regressions: that an answer is right, that its yes or no is."""

    answer: Mapping[str, float]
    affirmation: Mapping[str, float]

    @classmethod
    def zero(cls) -> Calibration:
        """Weights that say nothing, for fitting."""
        return cls(dict.fromkeys(FEATURES, 0.0), dict.fromkeys(AFFIRMATION_FEATURES, 0.0))


class SpanReader:
    """Reads the most promising region of the most promising hits, all in one batch.

    The sentences of the best candidates are then read by themselves, which verifies that they
    answer this question. An answer's score is the probability that its words answer; a yes or no
    is said only where its own probability reaches `AFFIRMED`. Both are fitted on questions with and
    without an answer (`python -m seminar.training.fitting.calibration`).
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
                complete(query.typed, one.span),
                probability(float(self._answer @ one.features)),
                self._said(one),
            )
            for one in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def _said(self, one: Featured) -> Affirmation:
        """The yes or no of a candidate where it is probable enough to be said."""
        likely = probability(float(self._affirmation @ one.affirmation_features)) >= AFFIRMED
        return one.affirmation if likely else "neither"

    def candidates(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Featured]]:
        """The possible answers to each query, with their evidence."""
        rankings = [
            narrow(query, ranking, regions=self.regions, size=self.size, encoder=self.encoder)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        pairs = [
            [(form, region) for form in _forms(query) for region in regions]
            for query, regions in zip(queries, rankings, strict=True)
        ]
        inquiries = [_inquiry(form, region) for asked in pairs for form, region in asked]
        findings = iter(self.model.read(inquiries, longest=self.longest, spans=self.spans))
        read = [
            [
                candidate
                for form, region in asked
                for candidate in candidates_in(
                    form, region, next(findings), polar=asks_yes_or_no(query.typed)
                )
            ]
            for query, asked in zip(queries, pairs, strict=True)
        ]
        merged = self._verified(queries, [merge_same(candidates) for candidates in read])
        return [
            _featured(query, candidates, self._similarities(query, candidates))
            for query, candidates in zip(queries, merged, strict=True)
        ]

    def _verified(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Candidate]]:
        """The strongest candidates of each query after their sentence was read by itself.

        In a region another sentence may say or deny what is asked.
        """
        best = [some[:VERIFIED] for some in candidates]
        asked = [
            [_look(form, candidate) for form in _forms(query)]
            for query, some in zip(queries, best, strict=True)
            for candidate in some
        ]
        distinct = list(dict.fromkeys(inquiry for inquiries in asked for inquiry in inquiries))
        results = self.model.read(distinct, longest=self.longest, spans=1)
        findings = {
            inquiry: found[0] for inquiry, found in zip(distinct, results, strict=True) if found
        }
        looks = iter([[findings[each] for each in inquiries] for inquiries in asked])
        return [
            [*(verified(candidate, next(looks)) for candidate in some), *rest[VERIFIED:]]
            for some, rest in zip(best, candidates, strict=True)
        ]

    def _similarities(self, query: Query, candidates: Sequence[Candidate]) -> list[float]:
        """The cosine of each candidate's sentence, after its title, and the searched question."""
        if not candidates:
            return []
        texts = [_titled_sentence(candidate) for candidate in candidates]
        distinct = list(dict.fromkeys(texts))
        near = dict(zip(distinct, similarities(query, distinct, self.encoder), strict=True))
        return [near[text] for text in texts]


def _titled_sentence(candidate: Candidate) -> str:
    return f"{candidate.region.passage.title}\n{candidate.sentence.text}"


def _forms(query: Query) -> list[Query]:
    """The question as typed, in its dialogue, and as searched where that differs.

    The network's scores decide which form was understood. All turns in one text are no question.
    """
    typed = replace(query, question=query.typed)
    if query.text == typed.question or SEPARATOR in query.text:
        return [typed]
    return [typed, replace(query, question=query.text, history=())]


def _inquiry(query: Query, region: Region) -> Inquiry:
    return Inquiry(query.question, region.text, region.passage.heading, query.history, query.found)


def _look(query: Query, candidate: Candidate) -> Inquiry:
    """The question about the candidate's sentence alone."""
    heading = candidate.region.passage.heading
    return Inquiry(query.question, candidate.sentence.text, heading, query.history)


def _featured(
    query: Query, candidates: Sequence[Candidate], similarities: Sequence[float]
) -> list[Featured]:
    """Each candidate with its evidence."""
    shares = _shares(candidates)
    return [
        Featured(
            candidate,
            _answer_features(query, candidate, candidates, share, near),
            _affirmation_features(query, candidate),
        )
        for candidate, share, near in zip(candidates, shares, similarities, strict=True)
    ]


def _answer_features(
    query: Query, one: Candidate, candidates: Sequence[Candidate], share: float, near: float
) -> tuple[float, ...]:
    polar = one.yes is not None
    verification = one.verification
    return (
        1.0,
        0.0 if polar else one.span_odds,
        one.span_odds if polar else 0.0,
        one.type_odds,
        one.type_odds if polar else 0.0,
        _lead(one, candidates),
        share,
        math.log(one.agreement),
        verification.answered,
        0.0 if polar else verification.span,
        verification.answered if polar else 0.0,
        one.region.sentence_at(one.span.start).coverage,
        one.region.coverage,
        one.region.best,
        near,
        # A name that begins the span does not begin a sentence, where any word has a capital.
        kind_agreement(query.typed, f"the {one.span.text}"),
        1 / one.region.rank,
        float(polar),
        float(bool(query.history)),
        float(asks_to_explain(query.typed)),
    )


def _affirmation_features(query: Query, one: Candidate) -> tuple[float, ...]:
    """Evidence for the side that is said, yes or no; zeros where neither is asked for."""
    if one.yes is None:
        return (0.0,) * len(AFFIRMATION_FEATURES)
    sign = 1.0 if one.affirmation == "yes" else -1.0
    region, sentence = sign * one.yes, sign * one.verification.yes
    return (
        1.0,
        region,
        sentence,
        min(region, sentence),
        one.verification.answered,
        one.type_odds,
        float(one.affirmation == "yes"),
        float(bool(query.history)),
    )


def _lead(one: Candidate, candidates: Sequence[Candidate]) -> float:
    others = [other.strength for other in candidates if other is not one]
    return clipped(one.strength - max(others)) if others else CLIP


def _shares(candidates: Sequence[Candidate]) -> list[float]:
    """The log of each candidate's share, as of one softmax over everything that was read."""
    if not candidates:
        return []
    strengths = np.array([candidate.strength for candidate in candidates])
    return [clipped(float(x)) for x in strengths - np.logaddexp.reduce(strengths)]
