"""Sentences, words and truncation; offsets count characters of the input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import nupunkt

from seminar.types import Span

# Scripts written without spaces (Han, kana, Thai, Lao, Khmer, Burmese): each character is a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_UNSPACED_CHARACTER = re.compile(f"[{_UNSPACED}]")
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+(?:['’](?![{_UNSPACED}])[^\W_]+)*")
STOP_WORDS = frozenset(
    """
    a an and are as at be been being but by can could did do does for from had has have he her hers
    him his how i if in into is it its many me much my of on or our she should so some than that the
    their them then there these they this those to was we were what when where which who whom whose
    why will with would you your
    """.split()
)
_PREFIX = 6  # a word's first letters stand for its forms: 'found', 'founded', 'founder'
_ALPHANUMERIC = re.compile(r"\w")
_LINE = re.compile(r"[^\n]+")
_WINDOW = 4_000  # characters of a line looked at together: runs of marks take their square
_IDEOGRAPHIC_STOP = re.compile(r"(?<=[。！？])")


def sentences(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences, without surrounding space; a line break always ends one.

    >>> [("Mr. Lee left. He ran.")[start:end] for start, end in sentences("Mr. Lee left. He ran.")]
    ['Mr. Lee left.', 'He ran.']
    """
    spans: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        first = len(spans)
        for piece in _line_sentences(line.group(), line.start()):
            start, end = strip(text, *piece)
            left_over = end - start < 4 and not _ALPHANUMERIC.search(text, start, end)
            if left_over and start < end and len(spans) > first:  # a bracket, a quotation mark
                spans[-1] = (spans[-1][0], end)
            elif start < end:
                spans.append((start, end))
    return spans


def sentence_spans(span: Span) -> Iterator[Span]:
    """The sentences of a span, as spans of its passage."""
    for start, end in sentences(span.text):
        yield Span(span.passage, span.start + start, span.start + end)


def _line_sentences(line: str, offset: int) -> Iterator[tuple[int, int]]:
    if len(line) < 2 or not _may_hold_several(line):
        yield offset, offset + len(line)
        return
    start = 0
    while start < len(line):
        window = line[start : start + _WINDOW]
        ends = _sentence_ends(window)
        if start + len(window) < len(line):
            ends = _ends_within(window, ends[:-1])
        cuts = (offset + start + end for end in (0, *ends))
        yield from pairwise(cuts)
        start += ends[-1]


def _sentence_ends(window: str) -> list[int]:
    ends: list[int] = []
    for start, end in nupunkt.sent_spans(window):
        stops = () if window.isascii() else _IDEOGRAPHIC_STOP.finditer(window, start, end)
        ends += [*(stop.start() for stop in stops), end]
    return ends


def _ends_within(window: str, ends: list[int]) -> list[int]:
    """Sentence ends in a window whose last sentence may be incomplete and is left for the next.

    A sentence longer than half of the window is cut at a space, or else at the window's end.
    """
    half = _WINDOW // 2
    if ends and ends[-1] >= half:
        return ends
    return [*ends, window.rfind(" ", half) + 1 or len(window)]


def _may_hold_several(line: str) -> bool:
    return any(mark in line for mark in ".!?。！？…;:")


def strip(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets start:end without the space at both ends.

    >>> strip("a  b ", 1, 5)
    (3, 4)
    """
    stretch = text[start:end]
    left = len(stretch) - len(stretch.lstrip())
    return start + left, max(start + left, start + len(stretch.rstrip()))


def words(text: str) -> list[tuple[int, int]]:
    """Offsets of the words: runs of letters and digits, apostrophes inside; Han one by one.

    >>> [("Don't pay £3.50")[start:end] for start, end in words("Don't pay £3.50")]
    ["Don't", 'pay', '3', '50']
    """
    return [match.span() for match in _WORD.finditer(text)]


def terms(text: str) -> set[str]:
    """The content words of a text, cut to their first letters.

    >>> sorted(terms("When was the observatory founded?"))
    ['founde', 'observ']
    """
    lowered = (text[start:end].lower() for start, end in words(text))
    return {word[:_PREFIX] for word in lowered if word not in STOP_WORDS}


def count_words(text: str) -> int:
    """The number of words: between spaces, or characters in scripts without spaces.

    >>> count_words("a well-known fact."), count_words("東京の塔")
    (3, 4)
    """
    if text.isascii() or not _UNSPACED_CHARACTER.search(text):
        return len(text.split())
    return len(_UNSPACED_CHARACTER.sub(" x ", text).split())


def whole(text: str) -> str:
    """The text with '?' in place of each lone surrogate, so that it is valid UTF-8 of equal length.

    >>> whole("half a \\ud800 pair, caf\\udce9")
    'half a ? pair, caf?'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def truncate(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words and marked with an ellipsis.

    >>> truncate("the quick brown fox", 12)
    'the quick…'
    """
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    cut = text[:limit]  # one more than can stay, to see whether a word ends there
    head = cut[: max(cut.rfind(" "), cut.rfind("\n"))] if " " in cut or "\n" in cut else cut[:-1]
    return head.rstrip() + "…"
