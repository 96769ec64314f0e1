"""The trained reader over rankings: exact spans, yes or no, and how likely each is to be right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.metrics.normalisation import tokens
from seminar.models.reader import NO, NO_ANSWER, SPAN, YES, Finding, Inquiry, ReaderModel
from seminar.reading.narrowing import Region, narrow
from seminar.text import sentences
from seminar.types import Affirmation, Answer, Hit, Query, Span

REGIONS = 5
REGION_WORDS = 160
LONGEST_ANSWER = 40
CLIP = 12.0  # log odds beyond this tell nothing more

FEATURES = (
    "bias",
    "span",  # log odds of the span against "not in this text"; 0 for yes and no
    "type",  # log odds of the answer's type against "no answer"
    "lead",  # how far the best other answer is behind
    "agreement",  # log of how many passages say the same
    "coverage",  # of the question's terms by the passage
    "best coverage",  # by the best hit: low where the files speak of something else
    "rank",  # reciprocal rank of the passage
    "polar",  # it is a yes or a no
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer and the evidence for it, in the order of `FEATURES`."""

    span: Span
    affirmation: Affirmation
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What the reader found in a region."""

    region: Region
    span: Span
    affirmation: Affirmation
    odds: float  # of the span
    type: float
    agreement: int = 1

    @property
    def strength(self) -> float:
        return self.odds + self.type

    @property
    def key(self) -> object:
        """Answers with the same key are one answer."""
        if self.affirmation != "neither":
            return self.affirmation
        return tuple(tokens(self.span.text)) or self.span.text


class SpanReader:
    """Reads the most promising region of the most promising hits, all in one batch.

    The probability is a logistic regression over what the reader and the words say, fitted on
    questions with and without an answer in the files (`python -m seminar.training.calibration`).
    """

    def __init__(
        self,
        model: ReaderModel,
        *,
        calibration: Mapping[str, float],
        regions: int = REGIONS,
        size: int = REGION_WORDS,
        longest: int = LONGEST_ANSWER,
    ) -> None:
        self.model = model
        self.weights = np.array([calibration[name] for name in FEATURES])
        self.regions, self.size, self.longest = regions, size, longest

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [self._answers(found) for found in self.candidates(queries, hits)]

    def _answers(self, candidates: Sequence[Candidate]) -> list[Answer]:
        answers = [
            Answer(one.span, _sigmoid(float(self.weights @ one.features)), one.affirmation)
            for one in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def candidates(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        """The possible answers to each query, with their evidence."""
        rankings = [
            narrow(query, ranking, regions=self.regions, size=self.size)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        inquiries = [
            Inquiry(query.question or query.text, one.text, one.passage.heading, query.history)
            for query, regions in zip(queries, rankings, strict=True)
            for one in regions
        ]
        findings = iter(self.model.read(inquiries, longest=self.longest))
        return [
            _with_evidence(_merged([_found(region, next(findings)) for region in regions]))
            for regions in rankings
        ]


def _found(region: Region, finding: Finding) -> _Found:
    types = finding.types
    start, end = region.start + finding.start, region.start + finding.end
    if max(types[YES], types[NO]) > types[SPAN]:
        affirmation: Affirmation = "yes" if finding.yes > 0 else "no"
        odds, kind = 0.0, max(types[YES], types[NO]) - types[NO_ANSWER]
        start, end = _sentence(region, start)
    else:
        affirmation, odds, kind = "neither", _clipped(finding.span), types[SPAN] - types[NO_ANSWER]
    return _Found(region, Span(region.passage, start, end), affirmation, odds, _clipped(kind))


def _sentence(region: Region, place: int) -> tuple[int, int]:
    """The sentence that a place is in: nobody marked the words that show a yes or a no."""
    bounds = [(region.start + start, region.start + end) for start, end in sentences(region.text)]
    return next((one for one in bounds if one[0] <= place < one[1]), bounds[0])


def _merged(found: Sequence[_Found]) -> list[_Found]:
    """Each answer once, in its strongest passage, with how many passages say it."""
    kept: dict[object, _Found] = {}
    for one in sorted(found, key=lambda one: -one.strength):
        if one.span.start == one.span.end:
            continue
        known = kept.setdefault(one.key, one)
        if known is not one:
            kept[one.key] = replace(known, agreement=known.agreement + 1)
    return list(kept.values())


def _with_evidence(found: Sequence[_Found]) -> list[Candidate]:
    """The evidence for each answer, strongest first as they come."""
    return [
        Candidate(
            one.span,
            one.affirmation,
            (
                1.0,
                one.odds,
                one.type,
                _lead(one, found),
                math.log(one.agreement),
                one.region.coverage,
                one.region.best,
                1 / one.region.rank,
                float(one.affirmation != "neither"),
            ),
        )
        for one in found
    ]


def _lead(one: _Found, found: Sequence[_Found]) -> float:
    others = [other.strength for other in found if other is not one]
    return _clipped(one.strength - max(others)) if others else CLIP


def _clipped(odds: float) -> float:
    return max(-CLIP, min(CLIP, odds))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, x))))
