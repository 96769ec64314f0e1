"""Splitting documents into passages of at least 100 words that keep sections and sentences whole.

The unit of TopiOCQA (Adlakha et al., 2022, section 5.1.2).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from seminar.ingestion.source_lines import cut
from seminar.text import count_words, sentences, strip
from seminar.types import Document, Link, Page, Passage, Place, Section

MIN_WORDS = 100
MAX_SENTENCE_WORDS = 300
MAX_SENTENCE_CHARACTERS = 4_000

Span = tuple[int, int]


def split(document: Document) -> list[Passage]:
    """The passages of a document, in order; together they hold all of its text but white space.

    A section shorter than 100 words is one passage, and a tail that short joins the one before.
    """
    links = _Stretches(document.links)
    pages = _Stretches(document.pages)
    places = _Stretches(document.places)
    return [
        Passage(
            source=document.source,
            start=start,
            end=end,
            text=document.text[start:end],
            title=document.title,
            section=section.title,
            scope=document.scope or document.source,
            links=links.within(start, end),
            pages=pages.within(start, end),
            lines=cut(document.lines, start, end),
            places=places.within(start, end),
        )
        for section in document.sections or (Section("", 0, len(document.text)),)
        for start, end in _blocks(document.text, section)
    ]


def _blocks(text: str, section: Section) -> list[Span]:
    blocks: list[Span] = []
    start, count = -1, 0
    for left, right, size in bounded_sentences(text, section):
        start = left if start < 0 else start
        count += size
        end = right
        if count >= MIN_WORDS or end - start >= MAX_SENTENCE_CHARACTERS:
            blocks.append((start, end))
            start, count = -1, 0
    if start >= 0:
        if blocks:
            start = blocks.pop()[0]
        blocks.append((start, end))
    return blocks


def bounded_sentences(text: str, section: Section) -> Iterator[tuple[int, int, int]]:
    """Start, end and word count of each sentence of a section, overlong ones in pieces."""
    stretch = text[section.start : section.end]
    for start, end in sentences(stretch):
        sentence = stretch[start:end]
        size = count_words(sentence)
        if size <= MAX_SENTENCE_WORDS and len(sentence) <= MAX_SENTENCE_CHARACTERS:
            yield section.start + start, section.start + end, size
            continue
        for left, right in _pieces(sentence):
            piece = sentence[left:right]
            yield section.start + start + left, section.start + start + right, count_words(piece)


def _pieces(sentence: str) -> Iterator[Span]:
    """An overlong sentence cut at spaces, a word with no end cut anywhere."""
    start = 0
    while start < len(sentence):
        end = _cut(sentence, start)
        left, right = strip(sentence, start, end)
        if left < right:
            yield left, right
        start = end


def _cut(sentence: str, start: int) -> int:
    window = sentence[start : start + MAX_SENTENCE_CHARACTERS]
    while count_words(window) > MAX_SENTENCE_WORDS:
        window = window[: len(window) * 3 // 4]
    end = start + len(window)
    if end >= len(sentence) or sentence[end].isspace():
        return end
    space = max(window.rfind(" "), window.rfind("\t"))
    return start + space if space > 0 else end


_Stretch = TypeVar("_Stretch", Link, Page, Place)


class _Stretches(Generic[_Stretch]):
    """The links, pages or places of a document, with a fast lookup of those within a passage."""

    def __init__(self, stretches: Sequence[_Stretch]) -> None:
        self._stretches: list[_Stretch] = sorted(
            stretches, key=lambda stretch: (stretch.start, stretch.end)
        )
        self._starts: list[int] = [stretch.start for stretch in self._stretches]
        # Stretches don't overlap, so their ends are in order as well.
        self._ends: list[int] = [stretch.end for stretch in self._stretches]

    def within(self, start: int, end: int) -> tuple[_Stretch, ...]:
        """The stretches that start:end touches, cut to it, with offsets into it."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        return tuple(
            replace(
                stretch,
                start=max(stretch.start - start, 0),
                end=min(stretch.end, end) - start,
            )
            for stretch in self._stretches[first:last]
        )
