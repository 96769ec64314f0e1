"""Where in a passage a message's words stand, and the name of its speaker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seminar.text import sentences
from seminar.types import Hit, Passage, Span, Utterance


def speakers_of(hits: Sequence[Hit]) -> list[str]:
    """Whoever speaks in the hits, each once, in their order."""
    return list(dict.fromkeys(said.speaker for hit in hits for said in hit.passage.utterances))


def label_of(passage: Passage, said: Utterance) -> Span | None:
    """The speaker's name before the words, if this passage holds it."""
    label = f"{said.speaker}: "
    for start in (said.start - len(label), said.start):
        if start >= 0 and passage.text.startswith(label, start):
            return Span(passage, start, start + len(said.speaker))
    return None


def words_of(passage: Passage, said: Utterance) -> tuple[int, int]:
    """Where the words themselves stand; some datasets count the name among them."""
    label = label_of(passage, said)
    start = said.start if label is None else max(said.start, label.end + 2)
    return start, said.end


def statements(passage: Passage, said: Utterance) -> Iterator[Span]:
    """The sentences of an utterance, without the speaker's name."""
    start, end = words_of(passage, said)
    for left, right in sentences(passage.text[start:end]):
        yield Span(passage, start + left, start + right)
