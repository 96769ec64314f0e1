"""Who said it, and what somebody said about it: sentences of messages beside what is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from seminar.logistic import probability
from seminar.protocols import Encoder
from seminar.reading.attribution import Attribution
from seminar.reading.evidence import coverage, rarities
from seminar.text import sentence_spans, terms
from seminar.types import Answer, Hit, Span
from seminar.weights import weights_folder

WEIGHTS = weights_folder("speakers") / "weights.json"
SHORTLIST = 24

FEATURES = (
    "bias",
    "similarity",  # cosine of what is asked and the sentence
    "coverage",  # of the asked terms by the sentence
    "utterance coverage",  # by the whole utterance and the one before it
    "best coverage",  # by the best utterance: low where nobody speaks of it
    "cue",  # 1 where the sentence does what the question calls it (asks, agrees), -1 where not
    "rank",  # reciprocal rank of the passage
    "lead",  # similarity and coverage beyond those of the next speaker
)

# How people do what a question says they did.
_CUES = {
    "request": r"\b(?:please|would like|i'd like|need|want|looking for|could (?:we|you|some)"
    r"|can (?:we|you|some)|anyone|anybody|ask for)\b",
    "ask": r"\?|\bwonder",
    "propose": r"\b(?:propose|suggest|recommend|let's|how about|what about|why not|we could"
    r"|we should|should|could|might|idea)\b",
    "offer": r"\b(?:i can|i could|i'll|i will|we can|you can have|happy to|glad to|offer|let me"
    r"|volunteer|promise)\b",
    "agree": r"\b(?:agree|agreed|yes|yep|right|exactly|sure|fine|same here|second|support)\b|\+1",
    "object": r"\b(?:but|no|not|never|object|disagree|however|worried|rather)\b|n't\b",
    "think": r"\b(?:think|believe|feel|seems?|hope|prefer|rather|sooner|would|expect|opinion)\b",
    "answer": r"\b(?:yes|no|because|it is|it's|you can|try)\b",
    "thank": r"\bthank",
}
CUES = {act: re.compile(cue, re.IGNORECASE) for act, cue in _CUES.items()}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that somebody says, the speaker's name before it, and the evidence for it."""

    speaker: str
    name: Span | None
    span: Span
    coverage: float
    utterance: float
    rank: float
    cue: float
    similarity: float = 0.0

    @property
    def promise(self) -> float:
        """A rough order, good enough to choose which sentences are worth encoding."""
        return self.coverage + 0.5 * self.utterance + 0.2 * self.rank + 0.1 * self.cue

    @property
    def strength(self) -> float:
        return self.coverage + self.similarity

    def features(self, best: float, lead: float) -> tuple[float, ...]:
        """The evidence in the order of `FEATURES`."""
        own = (self.similarity, self.coverage, self.utterance)
        return (1.0, *own, best, self.cue, self.rank, lead)


def name_answers(of: Attribution, hits: Sequence[Hit], encoder: Encoder) -> list[Answer]:
    """Each speaker that may have said it, with what was said, most probable first.

    Where a passage doesn't hold the name, what was said is the answer.
    """
    answers = [
        Answer(one.name, chance(features), also=(one.span,))
        if one.name
        else Answer(one.span, chance(features))
        for one, features in voices(of, hits, encoder)
    ]
    return sorted(answers, key=lambda answer: -answer.score)


def statement_answers(of: Attribution, hits: Sequence[Hit], encoder: Encoder) -> list[Answer]:
    """What the named speakers say about it, sentence by sentence, most probable first."""
    told = [one for one in sentences_near(of, hits, encoder) if one.speaker in of.speakers]
    best = max((one.utterance for one in told), default=0.0)
    answers = [Answer(one.span, chance(one.features(best, 0.0))) for one in told]
    return sorted(answers, key=lambda answer: -answer.score)


def voices(
    of: Attribution, hits: Sequence[Hit], encoder: Encoder
) -> list[tuple[Sentence, tuple[float, ...]]]:
    """For each speaker in the hits the sentence nearest to what is asked, and its evidence."""
    told = sentences_near(of, hits, encoder)
    nearest: dict[str, Sentence] = {}
    for one in told:
        held = nearest.setdefault(one.speaker, one)
        if one.strength > held.strength:
            nearest[one.speaker] = one
    best = max((one.utterance for one in told), default=0.0)
    return [
        (one, one.features(best, one.strength - _next(nearest, speaker)))
        for speaker, one in nearest.items()
    ]


def _next(nearest: dict[str, Sentence], speaker: str) -> float:
    others = (one.strength for other, one in nearest.items() if other != speaker)
    return max(others, default=0.0)


@cache
def shipped_weights() -> Mapping[str, float]:
    """The weights that come with Seminar (`python -m seminar.training.fitting.speakers`)."""
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def chance(features: Sequence[float]) -> float:
    """The probability that evidence of this kind is right."""
    weights = shipped_weights()
    odds = sum(weights[name] * value for name, value in zip(FEATURES, features, strict=True))
    return probability(odds)


def sentences_near(of: Attribution, hits: Sequence[Hit], encoder: Encoder) -> list[Sentence]:
    """The most promising sentences that are said in the hits; of named speakers, only theirs."""
    told = [one for one in _said(of, hits) if not of.speakers or one.speaker in of.speakers]
    told = sorted(told, key=lambda one: -one.promise)[:SHORTLIST]
    if not told:
        return []
    asked, *vectors = encoder.encode([of.topic, *(one.span.text for one in told)])
    return [
        replace(one, similarity=float(asked @ vector))
        for one, vector in zip(told, vectors, strict=True)
    ]


def _said(of: Attribution, hits: Sequence[Hit]) -> Iterator[Sentence]:
    asked, cue = terms(of.topic), CUES.get(of.act)
    spoken = [[one for one in hit.passage.utterances if one.speaker] for hit in hits]
    bags = [[terms(one.text) for one in said] for said in spoken]
    rarity = rarities([bag for own in bags for bag in own])
    for place, hit in enumerate(hits):
        rank, before = hit.rank or place + 1, set[str]()
        for one, bag in zip(spoken[place], bags[place], strict=True):
            whole = coverage(asked, bag | before, rarity)
            name, before = hit.passage.speaker_label(one), bag
            for span in sentence_spans(hit.passage.spoken_words(one)):
                own = coverage(asked, terms(span.text), rarity)
                does = 0.0 if cue is None else 1.0 if cue.search(span.text) else -1.0
                yield Sentence(one.speaker, name, span, own, whole, 1 / rank, does)
