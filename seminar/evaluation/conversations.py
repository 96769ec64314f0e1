"""Recorded conversations cut into chunks of whole messages, where a dataset's own aren't there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from seminar.ingestion.segments import MAX_TOKENS, SHORT_TOKENS, combine, split
from seminar.types import Passage, Thread


def cut(
    threads: Iterable[Thread], *, limit: int = MAX_TOKENS, short: int = SHORT_TOKENS
) -> Iterator[Passage]:
    """The segments that ingestion would make, each with a source of its own to be ranked by.

    Short threads of one channel are joined, as QAConv's authors join those of Slack.
    """
    places = (replace(thread, title=thread.channel) for thread in threads)
    for thread in combine(places, short=short):
        for segment in split(thread, limit=limit):
            yield replace(segment, source=segment.id)
