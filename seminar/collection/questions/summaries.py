"""A chunk's summary without a language model: the sentences nearest to what all of it says."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Encoder
from seminar.text import count_words, sentence_spans
from seminar.types import Passage, Span

SENTENCES = 3
LEAST_WORDS = 5  # "Thanks!" sums nothing up


def sentences_of(passage: Passage) -> list[Span]:
    """The sentences of a chunk, without the speakers' names."""
    whole = Span(passage, 0, len(passage.text))
    spans = [passage.spoken_words(utterance) for utterance in passage.utterances] or [whole]
    return [sentence for span in spans for sentence in sentence_spans(span)]


def summarise(passage: Passage, encoder: Encoder, *, limit: int = SENTENCES) -> list[Span]:
    """At most so many of its sentences, in their order: those most like the mean of all."""
    said = [one for one in sentences_of(passage) if count_words(one.text) >= LEAST_WORDS]
    if len(said) <= limit:
        return said
    vectors = encoder.encode([one.text for one in said])
    nearness = vectors @ vectors.mean(axis=0)
    return _first(said, sorted(range(len(said)), key=lambda place: -float(nearness[place])), limit)


def _first(said: Sequence[Span], order: Sequence[int], limit: int) -> list[Span]:
    return [said[place] for place in sorted(order[:limit])]
