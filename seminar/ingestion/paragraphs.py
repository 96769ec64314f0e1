"""Paragraphs of plain text, with the numbers of their lines, and wrapped lines joined."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from seminar.ingestion.source_lines import Marks
from seminar.types import LineMark

_GAP = re.compile(r"(\n[ \t]*(?:\n[ \t]*)+)")
_LIST_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_WRAPPED_AT = 45


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that are not blank, without the space at their ends, and their numbers from 1."""

    lines: list[str]
    numbers: list[int]


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text, between blank lines."""
    first = 1 + text[: len(text) - len(text.lstrip())].count("\n")
    pieces = _GAP.split(text.strip())
    for paragraph, gap in zip_longest(pieces[::2], pieces[1::2], fillvalue=""):
        lines = paragraph.split("\n")
        numbers = [number for number, line in enumerate(lines, start=first) if line.strip()]
        if numbers:
            yield Paragraph([line.rstrip() for line in lines if line.strip()], numbers)
        first += len(lines) - 1 + gap.count("\n")


def unwrap(text: str) -> tuple[str, Marks]:
    """Text with the wrapped lines of each paragraph joined, and the marks of its lines."""
    blocks: list[str] = []
    marks: list[LineMark] = []
    start = 0
    for paragraph in paragraphs(text):
        separator = " " if is_wrapped(paragraph.lines) else "\n"
        block, lines = join(paragraph, separator, start=start)
        blocks.append(block)
        marks += lines
        start += len(block) + 2
    return "\n\n".join(blocks), tuple(marks)


def join(paragraph: Paragraph, separator: str, *, start: int = 0) -> tuple[str, Marks]:
    """The lines of a paragraph as one text, with marks that count from `start`.

    Lines joined by a space lose their indent.
    """
    lines = paragraph.lines
    if separator == " ":
        lines = [line.strip() for line in lines]
    marks: list[LineMark] = []
    for number, line in zip(paragraph.numbers, lines, strict=True):
        marks.append(LineMark(start, number))
        start += len(line) + len(separator)
    return separator.join(lines), tuple(marks)


def is_wrapped(lines: Sequence[str]) -> bool:
    """Whether the lines of a paragraph were broken for width only."""
    if len(lines) < 2 or any(_LIST_ITEM.match(line) or "\t" in line for line in lines[1:]):
        return False
    return min(len(line) for line in lines[:-1]) >= _WRAPPED_AT
