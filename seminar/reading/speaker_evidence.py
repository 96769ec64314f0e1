"""Evidence that a speaker said something: sentences of messages compared with the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from seminar.logistic import probability
from seminar.protocols import Encoder
from seminar.reading.attribution import Attribution
from seminar.reading.evidence import coverage, inverse_document_frequencies
from seminar.text import sentence_spans, terms
from seminar.types import Answer, Hit, Span
from seminar.weights import read_weights

SHORTLIST = 24

FEATURES = (
    "bias",
    "similarity",  # cosine of the question's topic and the sentence
    "coverage",  # of the topic's terms by the sentence
    "utterance coverage",  # by the whole utterance and the one before it
    "best coverage",  # by the best utterance: low if nobody mentions the topic
    "cue",  # 1 if the sentence performs the question's speech act (asks, agrees), else -1
    "rank",  # reciprocal rank of the passage
    "lead",  # similarity and coverage beyond those of the next speaker
)

# Words that mark each speech act in a message.
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
class SpokenSentence:
    """A sentence of a message, the span of its speaker's name, and the evidence for it."""

    speaker: str
    name: Span | None
    span: Span
    coverage: float
    utterance_coverage: float
    rank: float
    cue: float
    similarity: float = 0.0

    @property
    def lexical_score(self) -> float:
        """A rough score that chooses which sentences to encode."""
        return self.coverage + 0.5 * self.utterance_coverage + 0.2 * self.rank + 0.1 * self.cue

    @property
    def strength(self) -> float:
        return self.coverage + self.similarity

    def features(self, best: float, lead: float) -> tuple[float, ...]:
        """The evidence in the order of `FEATURES`."""
        own = (self.similarity, self.coverage, self.utterance_coverage)
        return (1.0, *own, best, self.cue, self.rank, lead)


def speaker_answers(
    attribution: Attribution, hits: Sequence[Hit], encoder: Encoder
) -> list[Answer]:
    """Each speaker's name with the sentence that fits the question best, most probable first.

    The sentence itself is the answer if the passage does not contain the name.
    """
    answers = [
        Answer(sentence.name, answer_probability(features), also=(sentence.span,))
        if sentence.name
        else Answer(sentence.span, answer_probability(features))
        for sentence, features in best_sentence_per_speaker(attribution, hits, encoder)
    ]
    return sorted(answers, key=lambda answer: -answer.score)


def statement_answers(
    attribution: Attribution, hits: Sequence[Hit], encoder: Encoder
) -> list[Answer]:
    """The named speakers' sentences about the topic, most probable first."""
    sentences = [
        sentence
        for sentence in shortlist_sentences(attribution, hits, encoder)
        if sentence.speaker in attribution.speakers
    ]
    best = _best_utterance_coverage(sentences)
    answers = [
        Answer(sentence.span, answer_probability(sentence.features(best, 0.0)))
        for sentence in sentences
    ]
    return sorted(answers, key=lambda answer: -answer.score)


def best_sentence_per_speaker(
    attribution: Attribution, hits: Sequence[Hit], encoder: Encoder
) -> list[tuple[SpokenSentence, tuple[float, ...]]]:
    """For each speaker in the hits, the sentence that fits the question best, with its features."""
    sentences = shortlist_sentences(attribution, hits, encoder)
    strongest: dict[str, SpokenSentence] = {}
    for sentence in sentences:
        previous = strongest.setdefault(sentence.speaker, sentence)
        if sentence.strength > previous.strength:
            strongest[sentence.speaker] = sentence
    best = _best_utterance_coverage(sentences)
    return [
        (
            sentence,
            sentence.features(best, sentence.strength - _strongest_other(strongest, speaker)),
        )
        for speaker, sentence in strongest.items()
    ]


def _best_utterance_coverage(sentences: Sequence[SpokenSentence]) -> float:
    return max((sentence.utterance_coverage for sentence in sentences), default=0.0)


def _strongest_other(strongest: Mapping[str, SpokenSentence], speaker: str) -> float:
    others = (sentence.strength for other, sentence in strongest.items() if other != speaker)
    return max(others, default=0.0)


@cache
def shipped_weights() -> Mapping[str, float]:
    """The weights that ship with Seminar (`python -m seminar.training.fitting.speakers`)."""
    weights: dict[str, float] = read_weights("speakers")
    return weights


def answer_probability(features: Sequence[float]) -> float:
    """The probability that a sentence with these features is the right answer."""
    weights = shipped_weights()
    odds = sum(weights[name] * value for name, value in zip(FEATURES, features, strict=True))
    return probability(odds)


def shortlist_sentences(
    attribution: Attribution, hits: Sequence[Hit], encoder: Encoder
) -> list[SpokenSentence]:
    """The most promising sentences of the hits, of the named speakers only if any are named."""
    sentences = [
        sentence
        for sentence in _spoken_sentences(attribution, hits)
        if not attribution.speakers or sentence.speaker in attribution.speakers
    ]
    shortlist = sorted(sentences, key=lambda sentence: -sentence.lexical_score)[:SHORTLIST]
    if not shortlist:
        return []
    texts = [attribution.topic, *(sentence.span.text for sentence in shortlist)]
    topic_vector, *vectors = encoder.encode(texts)
    return [
        replace(sentence, similarity=float(topic_vector @ vector))
        for sentence, vector in zip(shortlist, vectors, strict=True)
    ]


def _spoken_sentences(attribution: Attribution, hits: Sequence[Hit]) -> Iterator[SpokenSentence]:
    topic_terms, cue = terms(attribution.topic), CUES.get(attribution.act)
    utterances = [
        [utterance for utterance in hit.passage.utterances if utterance.speaker] for hit in hits
    ]
    term_sets = [[terms(utterance.text) for utterance in group] for group in utterances]
    idf = inverse_document_frequencies([own_terms for group in term_sets for own_terms in group])
    for position, hit in enumerate(hits):
        rank, previous_terms = hit.rank or position + 1, set[str]()
        for utterance, own_terms in zip(utterances[position], term_sets[position], strict=True):
            utterance_coverage = coverage(topic_terms, own_terms | previous_terms, idf)
            name, previous_terms = hit.passage.speaker_label(utterance), own_terms
            for span in sentence_spans(hit.passage.spoken_words(utterance)):
                yield SpokenSentence(
                    utterance.speaker,
                    name,
                    span,
                    coverage(topic_terms, terms(span.text), idf),
                    utterance_coverage,
                    1 / rank,
                    _cue_score(cue, span.text),
                )


def _cue_score(cue: re.Pattern[str] | None, text: str) -> float:
    if cue is None:
        return 0.0
    return 1.0 if cue.search(text) else -1.0
