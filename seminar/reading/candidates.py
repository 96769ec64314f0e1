"""What the reader finds in a region: exact spans, or yes or no with the sentence that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seminar.models.reader.model import END, NO, NO_ANSWER, SPAN, YES, Finding
from seminar.reading.equivalence import same_answer
from seminar.reading.polarity import OPEN
from seminar.reading.regions import Region
from seminar.text import terms
from seminar.types import Affirmation, Query, Span

_STOP = re.compile(r"\.(?!\d)")  # more than one are of abbreviations
DECIDED = 1.0  # log odds of yes against no, from which one of them is said (docs/reading.md)
CLIP = 12.0  # log odds beyond this tell nothing more


@dataclass(frozen=True, slots=True)
class Found:
    """What the reader found in a region; `yes` is the log odds of yes against no, if it is one."""

    region: Region
    span: Span
    odds: float  # of the span
    type: float
    yes: float | None = None
    agreement: int = 1

    @property
    def affirmation(self) -> Affirmation:
        if self.yes is None:
            return "neither"
        return "yes" if self.yes > 0 else "no"

    @property
    def decided(self) -> bool:
        return self.yes is None or abs(self.yes) >= DECIDED

    @property
    def strength(self) -> float:
        return self.odds + self.type

    @property
    def sentence(self) -> str:
        """The sentence of the answer after its document's title, which it often leaves unsaid."""
        sentence = self.region.sentence_at(self.span.start)
        text = self.region.passage.text[sentence.start : sentence.end]
        return f"{self.region.passage.title}\n{text}"

    def is_same(self, other: Found) -> bool:
        """Whether both say the same: yes, no, or equivalent words."""
        if self.yes is None and other.yes is None:
            return same_answer(self.span.text, other.span.text)
        if self.yes is None or other.yes is None or self.affirmation != other.affirmation:
            return False
        return (self.decided and other.decided) or self.span == other.span


def found_in(
    query: Query, region: Region, findings: Sequence[Finding], *, polar: bool
) -> Iterator[Found]:
    """The region's new answers: yes or no where that is asked or the reader says so, else spans."""
    for finding in findings:
        types, start = finding.types, region.start + finding.start
        nothing = types[NO_ANSWER]
        if query.found:
            nothing = float(np.logaddexp(nothing, types[END]))
        kind = clipped(float(np.logaddexp.reduce([types[SPAN], types[YES], types[NO]])) - nothing)
        odds = clipped(finding.span)
        if polar or finding.is_polar:
            # The whole sentence shows a yes or a no, whatever words of it were found.
            sentence = region.sentence_at(start)
            span = Span(region.passage, sentence.start, sentence.end)
            yield Found(region, span, odds, kind, finding.yes)
            return
        span = Span(region.passage, start, _without_stop(region, start, finding.end))
        if any(same_answer(span.text, known) for known in query.found):
            continue
        if _says_nothing(query.question, span.text):
            continue
        yield Found(region, span, odds, kind)


def weighed_again(one: Found, looks: Sequence[float]) -> Found:
    """An answer whose yes or no takes in what its sentence alone says, read in each form."""
    if one.yes is None:
        return one
    return replace(one, yes=one.yes + sum(looks) / len(looks))


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
    return said <= terms(question) and bool(OPEN.search(question)) and " or " not in question


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


def each_once(found: Sequence[Found]) -> list[Found]:
    """Each answer once, in its strongest passage, with how many passages say it."""
    groups: list[list[Found]] = []
    for one in sorted(found, key=lambda one: -one.strength):
        same = next((group for group in groups if group[0].is_same(one)), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    return [
        replace(group[0], agreement=len({one.region.rank for one in group})) for group in groups
    ]


def clipped(odds: float) -> float:
    return max(-CLIP, min(CLIP, odds))
