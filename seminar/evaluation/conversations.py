"""Recorded conversations cut into chunks of whole messages, where a dataset's own aren't there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from seminar.text import count_words
from seminar.types import Passage, Thread, Utterance

WORDS = 200


def cut(threads: Iterable[Thread], words: int = WORDS) -> Iterator[Passage]:
    """Runs of whole messages of at most so many words; a longer message is a chunk of its own."""
    for thread in threads:
        run: list[Utterance] = []
        size = 0
        for said in thread.utterances:
            length = count_words(said.text)
            if run and size + length > words:
                yield _chunk(thread, run)
                run, size = [], 0
            run.append(said)
            size += length
        if run:
            yield _chunk(thread, run)


def _chunk(thread: Thread, run: Sequence[Utterance]) -> Passage:
    start, end = run[0].start, run[-1].end
    return Passage(
        # Rankings name a chunk by its source, so the source tells chunks of a thread apart.
        source=f"{thread.source}#{start}",
        start=start,
        end=end,
        text=thread.text[start:end],
        scope=thread.channel,
        utterances=tuple(
            replace(said, start=said.start - start, end=said.end - start) for said in run
        ),
    )
