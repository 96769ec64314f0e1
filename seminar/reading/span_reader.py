"""The trained reader over rankings: exact spans, yes or no, and how likely each is to be right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.logistic import probability
from seminar.models.reader.model import Inquiry, ReaderModel
from seminar.protocols import Encoder
from seminar.reading.candidates import CLIP, Found, clipped, each_once, found_in, weighed_again
from seminar.reading.evidence import kind_agreement
from seminar.reading.polarity import asks_yes_or_no
from seminar.reading.regions import Region, narrow, nearness
from seminar.types import SEPARATOR, Affirmation, Answer, Hit, Query, Span

REGIONS = 5
REGION_SPANS = 3
REGION_WORDS = 160
LONGEST_ANSWER = 30

FEATURES = (
    "bias",
    "span",  # log odds of the span against "not in this text"; 0 for yes and no
    "shown",  # the same of the words that show a yes or no; 0 for others
    "type",  # log odds of any answer's type against "no answer", and "end" if some were found
    "lead",  # how far the best other answer is behind
    "agreement",  # log of how many passages say the same
    "sentence coverage",  # of the question's terms by the sentence, the one before and the heading
    "coverage",  # by the passage
    "best coverage",  # by the best hit: low where the files speak of something else
    "similarity",  # cosine of the question as searched and the sentence
    "kind",  # the span is of the kind that is asked for
    "rank",  # reciprocal rank of the passage
    "polar",  # it is a yes or a no
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer and the evidence for it, in the order of `FEATURES`.

    Undecided between yes and no, it is told as the words alone.
    """

    span: Span
    affirmation: Affirmation
    features: tuple[float, ...]
    decided: bool = True

    @property
    def told(self) -> Affirmation:
        return self.affirmation if self.decided else "neither"


class SpanReader:
    """Reads the most promising region of the most promising hits, all in one batch.

    The probability is a logistic regression over what the reader and the words say, fitted on
    questions with and without an answer (`python -m seminar.training.fitting.calibration`).
    """

    def __init__(
        self,
        model: ReaderModel,
        encoder: Encoder,
        *,
        calibration: Mapping[str, float],
        regions: int = REGIONS,
        spans: int = REGION_SPANS,
        size: int = REGION_WORDS,
        longest: int = LONGEST_ANSWER,
    ) -> None:
        self.model, self.encoder = model, encoder
        self.weights = np.array([calibration[name] for name in FEATURES])
        self.regions, self.spans, self.size, self.longest = regions, spans, size, longest

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [self._answers(found) for found in self.candidates(queries, hits)]

    def _answers(self, candidates: Sequence[Candidate]) -> list[Answer]:
        answers = [
            Answer(one.span, probability(float(self.weights @ one.features)), one.told)
            for one in candidates
        ]
        return sorted(answers, key=lambda answer: -answer.score)

    def candidates(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        """The possible answers to each query, with their evidence."""
        rankings = [
            narrow(query, ranking, regions=self.regions, size=self.size, encoder=self.encoder)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        asked = [
            [(form, region) for form in _forms(query) for region in regions]
            for query, regions in zip(queries, rankings, strict=True)
        ]
        inquiries = [_inquiry(form, region) for pairs in asked for form, region in pairs]
        findings = iter(self.model.read(inquiries, longest=self.longest, spans=self.spans))
        polar = [asks_yes_or_no(query.typed) for query in queries]
        found = [
            [one for pair in pairs for one in found_in(*pair, next(findings), polar=wanted)]
            for wanted, pairs in zip(polar, asked, strict=True)
        ]
        told = [each_once(one) for one in self._looked_at_again(queries, found)]
        return [
            _candidates(query, one, self._similarities(query, one))
            for query, one in zip(queries, told, strict=True)
        ]

    def _looked_at_again(
        self, queries: Sequence[Query], found: Sequence[Sequence[Found]]
    ) -> list[list[Found]]:
        """Yes and no weighed by their sentence alone too: what stands around it may deny others."""
        asked = [
            [Inquiry(form.question, one.span.text) for form in _forms(query)]
            if one.yes is not None
            else []
            for query, many in zip(queries, found, strict=True)
            for one in many
        ]
        once = list(dict.fromkeys(inquiry for inquiries in asked for inquiry in inquiries))
        seen = dict(zip(once, self.model.read(once, longest=self.longest, spans=1), strict=True))
        looks = iter([[seen[inquiry][0].yes for inquiry in inquiries] for inquiries in asked])
        return [[weighed_again(one, next(looks)) for one in many] for many in found]

    def _similarities(self, query: Query, found: Sequence[Found]) -> list[float]:
        """How near each answer's sentence is to the question as it was searched."""
        if not found:
            return []
        told = list(dict.fromkeys(one.sentence for one in found))
        near = dict(zip(told, nearness(query, told, self.encoder), strict=True))
        return [near[one.sentence] for one in found]


def _forms(query: Query) -> list[Query]:
    """The question as it was typed, in its dialogue, and as it was searched where that differs.

    Which of them is understood is left to the reader's scores. All turns together are no question.
    """
    typed = replace(query, question=query.typed)
    if query.text == typed.question or SEPARATOR in query.text:
        return [typed]
    return [typed, replace(query, question=query.text, history=())]


def _inquiry(query: Query, region: Region) -> Inquiry:
    return Inquiry(query.question, region.text, region.passage.heading, query.history, query.found)


def _candidates(
    query: Query, found: Sequence[Found], similarities: Sequence[float]
) -> list[Candidate]:
    """Each answer with the evidence for it."""
    question = query.typed
    return [
        Candidate(
            one.span,
            one.affirmation,
            (
                1.0,
                0.0 if one.yes is not None else one.odds,
                one.odds if one.yes is not None else 0.0,
                one.type,
                _lead(one, found),
                math.log(one.agreement),
                one.region.sentence_at(one.span.start).coverage,
                one.region.coverage,
                one.region.best,
                near,
                # A name that begins the span doesn't begin a sentence, where any word is capital.
                kind_agreement(question, f"the {one.span.text}"),
                1 / one.region.rank,
                float(one.yes is not None),
            ),
            one.decided,
        )
        for one, near in zip(found, similarities, strict=True)
    ]


def _lead(one: Found, found: Sequence[Found]) -> float:
    others = [other.strength for other in found if other is not one]
    return clipped(one.strength - max(others)) if others else CLIP
