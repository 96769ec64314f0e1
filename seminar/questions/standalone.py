"""Whether a question can be understood without its dialogue."""

from __future__ import annotations

from collections.abc import Mapping

from seminar.logistic import probability
from seminar.questions.cues import Cues
from seminar.weights import read_weights

MOST_WORDS = 15
MOST_TERMS = 6


def features(cue: Cues) -> dict[str, float]:
    """The features of a question for and against standing alone, by name."""
    known = cue.last_question_terms | cue.last_answer_terms | cue.earlier_terms
    found: dict[str, float] = {
        "bias": 1.0,
        "stands in": cue.stands_in,
        "demonstrates": cue.demonstrates,
        "points back": cue.points_back,
        "asks more": cue.asks_more,
        "asks identity": cue.asks_identity,
        "opens short": cue.opens_short,
        "definite": " the " in f" {cue.question} ",
        "words": min(cue.words, MOST_WORDS) / 10,
        "terms": min(len(cue.terms), MOST_TERMS) / 3,
        "hardly any term": len(cue.terms) <= 1,
        "new terms": min(len(cue.terms - known), MOST_TERMS) / 3,
        "share of new terms": cue.share(cue.terms - known),
        "echoes the last turn": cue.share(cue.last_question_terms | cue.last_answer_terms),
    }
    return {name: float(value) for name, value in found.items()}


class StandingAlone:
    """The probability that a question needs nothing of its dialogue.

    A logistic regression, fitted on questions that people rewrote to stand alone or left as they
    were (`python -m seminar.training.fitting.standalone`).
    """

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self.weights = weights or read_weights("standalone")

    def chance(self, cue: Cues) -> float:
        if not cue.history:
            return 1.0
        score = sum(self.weights[name] * value for name, value in features(cue).items())
        return probability(score)
