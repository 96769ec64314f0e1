"""The trained reader over rankings: exact spans, yes or no, and how likely each is to be right."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.models.reader import END, NO, NO_ANSWER, SPAN, YES, Finding, Inquiry, ReaderModel
from seminar.odds import probability
from seminar.protocols import Encoder
from seminar.reading.equivalence import same_answer
from seminar.reading.evidence import kind_agreement
from seminar.reading.narrowing import Region, narrow
from seminar.text import terms
from seminar.types import SEPARATOR, Affirmation, Answer, Hit, Query, Span

REGIONS = 5
REGION_SPANS = 3
REGION_WORDS = 160
LONGEST_ANSWER = 30
_STOP = re.compile(r"\.(?!\d)")  # more than one are of abbreviations
_OPEN = re.compile(r"\b(?:what|when|where|which|who|whom|whose|why|how)\b", re.IGNORECASE)
DECIDED = 1.0  # log odds of yes against no, from which one of them is said (docs/reading.md)
CLIP = 12.0  # log odds beyond this tell nothing more

FEATURES = (
    "bias",
    "span",  # log odds of the span against "not in this text"; 0 for yes and no
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


@dataclass(frozen=True, slots=True)
class _Found:
    """What the reader found in a region."""

    region: Region
    span: Span
    affirmation: Affirmation
    odds: float  # of the span
    type: float
    decided: bool = True
    agreement: int = 1

    @property
    def strength(self) -> float:
        return self.odds + self.type

    @property
    def sentence(self) -> str:
        """The sentence of the answer after its document's title, which it often leaves unsaid."""
        sentence = self.region.sentence_at(self.span.start)
        text = self.region.passage.text[sentence.start : sentence.end]
        return f"{self.region.passage.title}\n{text}"

    def is_same(self, other: _Found) -> bool:
        """Whether both say the same: yes, no, or equivalent words."""
        if self.affirmation != other.affirmation or self.affirmation != "neither":
            return self.affirmation == other.affirmation
        return same_answer(self.span.text, other.span.text)


class SpanReader:
    """Reads the most promising region of the most promising hits, all in one batch.

    The probability is a logistic regression over what the reader and the words say, fitted on
    questions with and without an answer in the files (`python -m seminar.training.calibration`).
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
            narrow(query, ranking, regions=self.regions, size=self.size)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        asked = [
            [(form, region) for form in _forms(query) for region in regions]
            for query, regions in zip(queries, rankings, strict=True)
        ]
        inquiries = [_inquiry(form, region) for pairs in asked for form, region in pairs]
        findings = iter(self.model.read(inquiries, longest=self.longest, spans=self.spans))
        merged = [
            _merged([one for pair in pairs for one in _found(*pair, next(findings))])
            for pairs in asked
        ]
        return [
            _candidates(query, found, self._similarities(query, found))
            for query, found in zip(queries, merged, strict=True)
        ]

    def _similarities(self, query: Query, found: Sequence[_Found]) -> list[float]:
        """How near each answer's sentence is to the question as it was searched."""
        if not found:
            return []
        # All turns together are near to everything that was said, so the question stands for them.
        asked = query.question if SEPARATOR in query.text else query.text
        told = list(dict.fromkeys(one.sentence for one in found))
        vector, *vectors = self.encoder.encode([asked, *told])
        near = {text: float(vector @ one) for text, one in zip(told, vectors, strict=True)}
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


def _found(query: Query, region: Region, findings: Sequence[Finding]) -> Iterator[_Found]:
    """The region's new answers: yes or no where the reader says so, or else its spans."""
    for finding in findings:
        types, start = finding.types, region.start + finding.start
        nothing = types[NO_ANSWER]
        if query.found:
            nothing = float(np.logaddexp(nothing, types[END]))
        kind = _clipped(float(np.logaddexp.reduce([types[SPAN], types[YES], types[NO]])) - nothing)
        if finding.is_polar:
            # Nobody marked the words that show a yes or a no, so the whole sentence is shown.
            sentence = region.sentence_at(start)
            span = Span(region.passage, sentence.start, sentence.end)
            said: Affirmation = "yes" if finding.yes > 0 else "no"
            yield _Found(region, span, said, 0.0, kind, abs(finding.yes) >= DECIDED)
            return
        span = Span(region.passage, start, _without_stop(region, start, finding.end))
        if any(same_answer(span.text, known) for known in query.found):
            continue
        if _says_nothing(query.question, span.text):
            continue
        yield _Found(region, span, "neither", _clipped(finding.span), kind)


def _says_nothing(question: str, answer: str) -> bool:
    """Whether an answer to an open question only repeats its words.

    >>> _says_nothing("Who conducts the Tide Choir?", "The Tide Choir")
    True
    >>> _says_nothing("Is the choir open to all?", "open to all")
    False
    """
    said = terms(answer)
    if not said:
        return not any(character.isalnum() for character in answer)
    return said <= terms(question) and bool(_OPEN.search(question)) and " or " not in question


def _without_stop(region: Region, start: int, end: int) -> int:
    """Where the span ends without a comma, or the full stop of a sentence that it is the end of.

    Only what begins with a sentence may run into the next one.
    """
    sentence = region.sentence_at(start)
    if start > sentence.start:
        end = min(end, sentence.end - region.start)
    words = region.text[start - region.start : end].rstrip(",;:")
    stops = len(_STOP.findall(words))
    if start > sentence.start and region.start + end == sentence.end and stops == 1:
        words = words.rstrip(".")
    return start + len(words) if words else region.start + end


def _merged(found: Sequence[_Found]) -> list[_Found]:
    """Each answer once, in its strongest passage, with how many passages say it."""
    groups: list[list[_Found]] = []
    for one in sorted(found, key=lambda one: -one.strength):
        same = next((group for group in groups if group[0].is_same(one)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return [
        replace(group[0], agreement=len({one.region.rank for one in group})) for group in groups
    ]


def _candidates(
    query: Query, found: Sequence[_Found], similarities: Sequence[float]
) -> list[Candidate]:
    """Each answer with the evidence for it."""
    question = query.typed
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
                one.region.sentence_at(one.span.start).coverage,
                one.region.coverage,
                one.region.best,
                near,
                # A name that begins the span doesn't begin a sentence, where any word is capital.
                kind_agreement(question, f"the {one.span.text}"),
                1 / one.region.rank,
                float(one.affirmation != "neither"),
            ),
            one.decided,
        )
        for one, near in zip(found, similarities, strict=True)
    ]


def _lead(one: _Found, found: Sequence[_Found]) -> float:
    others = [other.strength for other in found if other is not one]
    return _clipped(one.strength - max(others)) if others else CLIP


def _clipped(odds: float) -> float:
    return max(-CLIP, min(CLIP, odds))
