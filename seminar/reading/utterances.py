"""What a speaker said, as passages of its own, and where the speaker is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class View:
    """A stretch of a passage as a passage of its own, and how to find the way back."""

    whole: Passage
    offset: int
    part: Passage

    def back(self, span: Span) -> Span:
        return Span(self.whole, self.offset + span.start, self.offset + span.end)


def views_of(passage: Passage, speakers: frozenset[str]) -> Iterator[View]:
    """What these say in a passage, message by message, each under the speaker's name.

    The name is the section, not part of the words: it would make the first sentence of every
    message look like what is asked about.
    """
    for said in passage.utterances:
        if said.speaker in speakers:
            start, end = words_of(passage, said)
            part = Passage(
                source=passage.source,
                start=passage.start + start,
                end=passage.start + end,
                text=passage.text[start:end],
                title=passage.title,
                section=said.speaker,
                scope=passage.scope,
                utterances=(replace(said, start=0, end=end - start),),
            )
            yield View(passage, start, part)
