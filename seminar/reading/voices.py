"""Who said it: every speaker of the hits, with the sentence that comes nearest to what is asked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from seminar.attribution import Attribution
from seminar.protocols import Encoder
from seminar.reading.evidence import coverage, rarities
from seminar.reading.utterances import label_of, statements
from seminar.text import terms
from seminar.types import Answer, Hit, Span

SHORTLIST = 24

FEATURES = (
    "bias",
    "similarity",  # cosine of what is asked and the sentence
    "coverage",  # of the asked terms by the sentence
    "utterance coverage",  # by the whole utterance and the one before it
    "best coverage",  # by the best utterance: low where nobody speaks of it
    "cue",  # the sentence does what the question calls it: asks, proposes, agrees
    "rank",  # reciprocal rank of the passage
    "lead",  # similarity and coverage beyond those of the next speaker
)
# Fitted on QAConv's training questions: python -m seminar.training.voices (docs/conversations.md).
WEIGHTS = {
    "bias": -4.842,
    "similarity": 2.516,
    "coverage": -0.149,
    "utterance coverage": 1.297,
    "best coverage": 0.948,
    "cue": 0.294,
    "rank": 0.817,
    "lead": 1.865,
}

# How people do what a question says they did.
_CUES = {
    "ask": r"\?|\b(?:please|could|can|would|anyone|anybody|need|want|looking for|wonder)\b",
    "propose": r"\b(?:propose|suggest|recommend|let's|how about|what about|why not|we could"
    r"|we should|should|could|might|idea)\b",
    "offer": r"\b(?:I can|I could|I'll|I will|we can|happy to|glad to|offer|let me)\b",
    "agree": r"\b(?:agree|agreed|yes|yep|right|exactly|sure|fine|same here|second)\b|\+1",
    "object": r"\b(?:but|no|not|n't|never|can't|don't|won't|object|disagree|however|worried)\b",
    "think": r"\b(?:think|believe|feel|seems?|hope|prefer|rather|would|expect|opinion)\b",
    "answer": r"\b(?:yes|no|because|it is|it's|you can|try)\b",
    "thank": r"\bthank",
}
CUES = {act: re.compile(cue, re.IGNORECASE) for act, cue in _CUES.items()}


@dataclass(frozen=True, slots=True)
class Voice:
    """A speaker with the sentence that speaks most for him, and the evidence for it."""

    speaker: str
    name: Span | None
    sentence: Span
    features: tuple[float, ...]

    @property
    def answer(self) -> tuple[Span, tuple[Span, ...]]:
        """The name and what was said; where the passage doesn't hold the name, what was said."""
        return (self.name, (self.sentence,)) if self.name else (self.sentence, ())


@dataclass(frozen=True, slots=True)
class _Sentence:
    speaker: str
    name: Span | None
    span: Span
    own: float
    utterance: float
    rank: float
    cue: float

    @property
    def promise(self) -> float:
        return self.own + 0.5 * self.utterance + 0.2 * self.rank + 0.1 * self.cue


def name_answers(of: Attribution, hits: Sequence[Hit], encoder: Encoder) -> list[Answer]:
    """Each speaker that may have said it, most probable first."""
    weights = [WEIGHTS[name] for name in FEATURES]
    answers = []
    for voice in voices(of, hits, encoder):
        odds = sum(weight * value for weight, value in zip(weights, voice.features, strict=True))
        span, also = voice.answer
        answers.append(Answer(span, 1 / (1 + math.exp(-max(-50.0, min(50.0, odds)))), also=also))
    return sorted(answers, key=lambda answer: -answer.score)


def voices(of: Attribution, hits: Sequence[Hit], encoder: Encoder) -> list[Voice]:
    """One voice for each speaker in the hits who says anything near to what is asked."""
    told = sorted(_sentences(of, hits), key=lambda one: -one.promise)[:SHORTLIST]
    if not told:
        return []
    asked, *vectors = encoder.encode([of.topic, *(one.span.text for one in told)])
    near = [float(asked @ vector) for vector in vectors]
    best: dict[str, tuple[_Sentence, float]] = {}
    for one, similarity in zip(told, near, strict=True):
        held = best.get(one.speaker)
        if held is None or one.own + similarity > held[0].own + held[1]:
            best[one.speaker] = (one, similarity)
    most = max(one.utterance for one in told)
    strengths = {speaker: one.own + similarity for speaker, (one, similarity) in best.items()}
    return [
        Voice(
            speaker,
            one.name,
            one.span,
            (
                1.0,
                similarity,
                one.own,
                one.utterance,
                most,
                one.cue,
                one.rank,
                strengths[speaker] - max(_others(strengths, speaker), default=0.0),
            ),
        )
        for speaker, (one, similarity) in best.items()
    ]


def _others(strengths: dict[str, float], speaker: str) -> list[float]:
    return [value for other, value in strengths.items() if other != speaker]


def _sentences(of: Attribution, hits: Sequence[Hit]) -> list[_Sentence]:
    asked, cue = terms(of.topic), CUES.get(of.act)
    said = [(rank, hit.passage, one) for rank, hit in enumerate(hits, start=1)
            for one in hit.passage.utterances]  # fmt: skip
    bags = [terms(one.text) for _, _, one in said]
    rarity = rarities(bags)
    found: list[_Sentence] = []
    before: set[str] = set()
    for (rank, passage, one), bag in zip(said, bags, strict=True):
        whole = coverage(asked, bag | before, rarity)
        name = label_of(passage, one)
        for span in statements(passage, one):
            own = coverage(asked, terms(span.text), rarity)
            agrees = float(cue is not None and cue.search(span.text) is not None)
            found.append(_Sentence(one.speaker, name, span, own, whole, 1 / rank, agrees))
        before = bag
    return found
