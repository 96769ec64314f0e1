"""Candidate answers in a region: exact spans, or a yes or no with the sentence that supports it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.models.reader.model import END, NO, NO_ANSWER, SPAN, YES, Finding
from seminar.reading.answer_units import is_quotable
from seminar.reading.equivalence import equivalent_texts
from seminar.reading.polarity import OPEN
from seminar.reading.regions import Region
from seminar.text import terms
from seminar.types import Affirmation, Query, Span

_STOP = re.compile(r"\.(?!\d)")  # several belong to abbreviations
CLIP = 12.0  # log odds beyond this add no evidence


@dataclass(frozen=True, slots=True)
class Verification:
    """The network's scores for a candidate's sentence read by itself."""

    span: float  # log odds of a span against "not in this text"
    answered: float  # log odds of any answer against "no answer"
    yes: float  # log odds of yes against no


UNVERIFIED = Verification(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer with the network's scores, all as log odds.

    `span_odds` compares the span with "not in this text", `type_odds` any type of answer with "no
    answer", and `yes` yes with no; None if the question does not ask for yes or no.
    """

    region: Region
    span: Span
    span_odds: float
    type_odds: float
    yes: float | None = None
    agreement: int = 1
    verification: Verification = UNVERIFIED

    @property
    def affirmation(self) -> Affirmation:
        if self.yes is None:
            return "neither"
        return "yes" if self.yes + self.verification.yes > 0 else "no"

    @property
    def strength(self) -> float:
        return self.span_odds + self.type_odds

    @property
    def sentence(self) -> Span:
        """The sentence in which the candidate begins."""
        sentence = self.region.sentence_at(self.span.start)
        return Span(self.region.passage, sentence.start, sentence.end)

    def is_same(self, other: Candidate) -> bool:
        """Whether both give the same answer: yes, no, or equivalent words."""
        if self.yes is None and other.yes is None:
            return equivalent_texts(self.span.text, other.span.text)
        if self.yes is None or other.yes is None:
            return False
        return self.span == other.span


def candidates_in(
    query: Query, region: Region, findings: Sequence[Finding], *, polar: bool
) -> Iterator[Candidate]:
    """The region's new answers: yes or no if the question or the network's type says so, or spans.

    Answers in `query.found` are known already and are left out.
    """
    for finding in findings:
        start = region.start + finding.start
        type_odds = answered_odds(finding, known=bool(query.found))
        span_odds = clipped(finding.span)
        if polar or finding.is_yes_no:
            # The whole sentence supports a yes or a no, whichever of its words the span has.
            sentence = region.sentence_at(start)
            span = Span(region.passage, sentence.start, sentence.end)
            yield Candidate(region, span, span_odds, type_odds, clipped(finding.yes))
            return
        span = Span(region.passage, start, _end_of_answer(region, start, finding.end))
        if any(equivalent_texts(span.text, known) for known in query.found):
            continue
        if _repeats_question(query.typed, span.text) or not is_quotable(span):
            continue
        yield Candidate(region, span, span_odds, type_odds)


def answered_odds(finding: Finding, *, known: bool = False) -> float:
    """Log odds of any answer against "no answer", and against "end" if answers are known."""
    types = finding.types
    nothing = types[NO_ANSWER]
    if known:
        nothing = float(np.logaddexp(nothing, types[END]))
    return clipped(float(np.logaddexp.reduce([types[SPAN], types[YES], types[NO]])) - nothing)


def verified(candidate: Candidate, finding: Finding) -> Candidate:
    """The candidate with the scores of its sentence by itself."""
    scores = Verification(clipped(finding.span), answered_odds(finding), clipped(finding.yes))
    return replace(candidate, verification=scores)


def _repeats_question(question: str, answer: str) -> bool:
    """Whether an answer to an open question only repeats its words.

    >>> _repeats_question("Who conducts the Tide Choir?", "The Tide Choir")
    True
    >>> _repeats_question("Is the choir open to all?", "open to all")
    False
    """
    content = terms(answer)
    if not content:
        return not any(character.isalnum() for character in answer)
    return content <= terms(question) and bool(OPEN.search(question)) and " or " not in question


def _end_of_answer(region: Region, start: int, end: int) -> int:
    """The end of the span without a trailing comma or the full stop of its sentence.

    Only a span that begins at the start of a sentence may extend into the next one.
    """
    sentence = region.sentence_at(start)
    if start > sentence.start:
        end = min(end, sentence.end - region.start)
    words = region.text[start - region.start : end].rstrip(",;:")
    stops = len(_STOP.findall(words))
    if start > sentence.start and region.start + end == sentence.end and stops == 1:
        words = words.rstrip(".")
    return start + len(words) if words else region.start + end


def merge_same(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each answer once, from its strongest passage, with the number of passages that give it."""
    groups: list[list[Candidate]] = []
    for candidate in sorted(candidates, key=lambda candidate: -candidate.strength):
        group = next((group for group in groups if group[0].is_same(candidate)), None)
        if group is None:
            groups.append([candidate])
        else:
            group.append(candidate)
    return [
        replace(group[0], agreement=len({candidate.region.rank for candidate in group}))
        for group in groups
    ]


def clipped(odds: float) -> float:
    return max(-CLIP, min(CLIP, odds))
