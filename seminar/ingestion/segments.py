"""Splitting threads into passages: QAConv's turn buffer (Wu et al., 2022, section 2.1.1).

A segment takes whole utterances until the next one would bring it above 512 tokens.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from seminar.errors import IngestionError
from seminar.ingestion import passages
from seminar.ingestion.source_lines import cut, shift
from seminar.text import strip
from seminar.types import Document, Passage, Section, Thread, Utterance

MAX_TOKENS = 512
SHORT_TOKENS = 128
CONTEXT_TOKENS = 128
# Measured on court, mail and chat: MiniLM makes 0.96 to 1.06 word pieces of each of these, 1.22
# at most in 99 of 100 segments of chat.
TOKENS_PER_PIECE = 1.15
_PIECE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\U0010ffff]"  # no spaces, or an emoji: one each
    r"|[A-Z]?[a-z]{1,7}|[A-Z]{1,3}|\d{1,2}|[^\W\d]{1,3}|[^\w\s]"
)

Span = tuple[int, int]


def count_tokens(text: str) -> int:
    """An estimate of a model's token count, from punctuation marks and short pieces of words.

    >>> count_tokens("Ada: the ferry leaves at 9.")
    10
    """
    return math.ceil(len(_PIECE.findall(text)) * TOKENS_PER_PIECE)


def split_item(item: Document | Thread) -> list[Passage]:
    """The passages of a document or thread."""
    return split(item) if isinstance(item, Thread) else passages.split(item)


def split(thread: Thread, *, limit: int = MAX_TOKENS) -> list[Passage]:
    """The segments of a thread, in order; an utterance above the limit is cut between sentences.

    A segment that begins within an utterance has the speaker as `section`, as no label names them.
    """
    starts = [utterance.start for utterance in thread.utterances]
    ends = [utterance.end for utterance in thread.utterances]
    return [
        _passage(
            thread,
            thread.utterances[bisect_right(ends, start) : bisect_left(starts, end)],
            start,
            end,
        )
        for start, end in _buffer(thread, limit)
    ]


def _buffer(thread: Thread, limit: int) -> Iterator[Span]:
    start = end = -1
    held = 0
    for begin, utterance in zip(_label_starts(thread), thread.utterances, strict=True):
        size = count_tokens(thread.text[begin : utterance.end])
        if held and held + size > limit:
            yield start, end
            held = 0
        if size > limit:
            yield from _pieces(thread.text, begin, utterance.end, limit)
            continue
        start, end, held = (start if held else begin), utterance.end, held + size
    if held:
        yield start, end


def _label_starts(thread: Thread) -> list[int]:
    """The start of each utterance with the label that names its speaker."""
    ends = [0, *(utterance.end for utterance in thread.utterances)]
    return [
        strip(thread.text, end, utterance.start)[0]
        if thread.text[end : utterance.start].strip()
        else utterance.start
        for end, utterance in zip(ends, thread.utterances, strict=False)
    ]


def _pieces(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    begin = last = -1
    held = 0
    for left, right, _ in passages.bounded_sentences(text, Section("", start, end)):
        size = count_tokens(text[left:right])
        if held and held + size > limit:
            yield begin, last
            held = 0
        begin, last, held = (begin if held else left), right, held + size
    if held:
        yield begin, last


def _passage(thread: Thread, touched: Sequence[Utterance], start: int, end: int) -> Passage:
    return Passage(
        source=thread.source,
        start=start,
        end=end,
        text=thread.text[start:end],
        title=thread.title,
        section=touched[0].speaker if touched[0].start < start else "",
        scope=thread.channel or thread.source,
        utterances=tuple(_within(thread.text, message, start, end) for message in touched),
    )


def _within(text: str, utterance: Utterance, start: int, end: int) -> Utterance:
    """The utterance cut to start:end, with offsets into it."""
    left, right = max(utterance.start, start), min(utterance.end, end)
    return replace(
        utterance,
        text=text[left:right],
        start=left - start,
        end=right - start,
        lines=cut(utterance.lines, start, end),
    )


def preceding(
    thread: Thread, passage: Passage, *, limit: int = CONTEXT_TOKENS
) -> tuple[Utterance, ...]:
    """The utterances right before a segment, as many as fit the limit: context, not part of it.

    The last of them is always included, whatever its length.
    """
    before = [utterance for utterance in thread.utterances if utterance.end <= passage.start]
    sizes = [count_tokens(utterance.text) for utterance in before]
    first = len(before)
    while first and (first == len(before) or sum(sizes[first - 1 :]) <= limit):
        first -= 1
    return tuple(before[first:])


def combine(threads: Iterable[Thread], *, short: int = SHORT_TOKENS) -> Iterator[Thread]:
    """The threads, with consecutive short ones of one title joined until none is short.

    The channel of joined threads is the path that all of them share.
    """
    held: list[Thread] = []
    size = 0
    try:
        for thread in threads:
            length = count_tokens(thread.text)
            if held and (length >= short or size >= short or thread.title != held[0].title):
                yield _joined(held)
                held, size = [], 0
            if length >= short:
                yield thread
            else:
                held.append(thread)
                size += length
    except IngestionError:
        if held:  # threads before an error remain valid
            yield _joined(held)
        raise
    if held:
        yield _joined(held)


def _joined(threads: Sequence[Thread]) -> Thread:
    if len(threads) == 1:
        return threads[0]
    utterances: list[Utterance] = []
    at = 0
    for thread in threads:
        utterances += [moved(utterance, at) for utterance in thread.utterances]
        at += len(thread.text) + 2
    return Thread(
        source=threads[0].source,
        title=threads[0].title,
        text="\n\n".join(thread.text for thread in threads),
        utterances=tuple(utterances),
        channel=_shared_path([thread.channel for thread in threads]),
    )


def moved(utterance: Utterance, by: int) -> Utterance:
    """The utterance with all its offsets `by` characters later."""
    return replace(
        utterance,
        start=utterance.start + by,
        end=utterance.end + by,
        lines=shift(utterance.lines, by),
    )


def _shared_path(channels: Sequence[str]) -> str:
    """The longest path above all channels.

    >>> _shared_path(["general/1", "general/2"]), _shared_path(["general", "general/2"])
    ('general', 'general')
    """
    paths = [channel.split("/") for channel in channels]
    parts: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        parts.append(names[0])
    return "/".join(parts)
