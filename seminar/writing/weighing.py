"""Two witnesses, one answer: the embedded reader's and the language model's, weighed.

Each candidate answer has the reader's probability; that the model wrote it, wrote something else or
said that nothing answers moves its log odds, by weights that are fitted on written dialogues
(`scripts/bench language_model --fit`). So neither overrules the other by itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from seminar.logistic import probability
from seminar.reading.equivalence import spans_overlap
from seminar.text import terms
from seminar.types import Affirmation, Answer, Segment
from seminar.weights import read_weights
from seminar.writing.facts import numbers

FEATURES = (
    "bias",
    "reader",  # log odds of the reader's probability
    "written",  # the model wrote it, and words of the files bear that out
    "absent",  # the model said that nothing answers
    "otherwise",  # the model wrote something else
)
CLIP = 5.0  # log odds
UNREAD = 0.02  # probability of words in which the reader sees no answer at all
TOLD = 0.5  # share of an answer's terms that a sentence which tells it has
LONG = 8  # terms: of a longer answer a sentence need not tell every number


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the model said of a candidate: that it is so, that nothing is, or something else."""

    written: bool = False
    absent: bool = False
    otherwise: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer of the embedded reader, and what the model says of it."""

    answer: Answer
    verdict: Verdict

    def features(self) -> dict[str, float]:
        p = min(max(self.answer.score, 1e-6), 1 - 1e-6)
        odds = max(-CLIP, min(CLIP, math.log(p / (1 - p))))
        return {
            "bias": 1.0,
            "reader": odds,
            "written": float(self.verdict.written),
            "absent": float(self.verdict.absent),
            "otherwise": float(self.verdict.otherwise),
        }


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote: the sentences that are borne out, its yes or no, and a "not there"."""

    segments: tuple[Segment, ...] = ()
    affirmation: Affirmation = "neither"
    absent: bool = False

    def gives(self, answer: Answer) -> bool:
        """Whether a sentence rests on the answer's own words and tells them, and no other side."""
        sides = {answer.affirmation, self.affirmation} - {"neither"}
        return len(sides) < 2 and any(_tells(segment, answer) for segment in self.segments)

    def verdict(self, answer: Answer) -> Verdict:
        given = self.gives(answer)
        nothing = self.absent and not self.segments
        return Verdict(given, nothing, bool(self.segments) and not given)


class Weighing:
    """Weighs candidate answers by the weights of `FEATURES`."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = weights

    @cached_property
    def weights(self) -> Mapping[str, float]:
        if self._weights is not None:
            return self._weights
        return dict(read_weights("prose", "weighing.json")["weights"])

    def weigh(self, answers: Sequence[Answer], written: Written) -> list[Candidate]:
        """The candidates with the probability that each is right, best first."""
        weighed = [self._weighed(one, written) for one in candidates(answers, written)]
        return sorted(weighed, key=lambda one: (-one.answer.score, not one.verdict.written))

    def _weighed(self, candidate: Candidate, written: Written) -> Candidate:
        found, answer = candidate.features(), candidate.answer
        odds = sum(self.weights[name] * found[name] for name in FEATURES)
        side = answer.affirmation
        if candidate.verdict.written and side == "neither":
            side = written.affirmation
        weighed = replace(answer, score=probability(odds), affirmation=side)
        return replace(candidate, answer=weighed)


def candidates(answers: Sequence[Answer], written: Written) -> list[Candidate]:
    """The reader's answers with what the model says of each, and the model's own if it is none."""
    found = [Candidate(answer, written.verdict(answer)) for answer in answers]
    if written.segments and not any(one.verdict.written for one in found):
        found.append(Candidate(_own(written), Verdict(written=True)))
    return found


def _own(written: Written) -> Answer:
    """The model's answer where the reader has none there: the words that bear it out best."""
    best = max(written.segments, key=lambda segment: segment.score)
    return Answer(best.spans[0], UNREAD, written.affirmation, also=best.spans[1:])


def _tells(segment: Segment, answer: Answer) -> bool:
    if not any(spans_overlap(span, own) for span in segment.spans for own in answer.spans):
        return False
    if answer.affirmation != "neither":  # its words are the whole sentence
        return True
    wanted, told = terms(answer.span.text), terms(segment.text)
    held = numbers(answer.span.text) <= numbers(segment.text) or len(wanted) > LONG
    return held and len(wanted & told) >= TOLD * len(wanted)
