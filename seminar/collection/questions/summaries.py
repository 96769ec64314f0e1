"""A chunk's extractive summary: the sentences nearest to the mean of all."""

from __future__ import annotations

from collections.abc import Sequence

from seminar.protocols import Encoder
from seminar.text import count_words, sentence_spans
from seminar.types import Passage, Span

SENTENCES = 3
LEAST_WORDS = 5  # "Thanks!" summarises nothing


def sentences_of(passage: Passage) -> list[Span]:
    """The sentences of a chunk, without the speakers' names."""
    whole = Span(passage, 0, len(passage.text))
    spans = [passage.spoken_words(utterance) for utterance in passage.utterances] or [whole]
    return [sentence for span in spans for sentence in sentence_spans(span)]


def summarise(passage: Passage, encoder: Encoder, *, limit: int = SENTENCES) -> list[Span]:
    """The `limit` sentences nearest to the mean of all, in their order."""
    candidates = [span for span in sentences_of(passage) if count_words(span.text) >= LEAST_WORDS]
    if len(candidates) <= limit:
        return candidates
    vectors = encoder.encode([span.text for span in candidates])
    nearness = vectors @ vectors.mean(axis=0)
    return _first(
        candidates, sorted(range(len(candidates)), key=lambda place: -float(nearness[place])), limit
    )


def _first(spans: Sequence[Span], order: Sequence[int], limit: int) -> list[Span]:
    return [spans[place] for place in sorted(order[:limit])]
