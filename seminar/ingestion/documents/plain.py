"""Plain text: paragraphs, and headings where their form shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.inline import Block
from seminar.ingestion.paragraphs import Paragraph, is_wrapped, join, paragraphs
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document, LineMark

_UNDERLINE = re.compile(r"(=|-|~|\*)\1{2,}\s*")
_NUMBERED = re.compile(r"(?:chapter\s+\w+|(\d{1,2}(?:\.\d{1,2}){0,4})\.?)\s+\S.*", re.IGNORECASE)
_HEADING_LENGTH = 80


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a text file; its title is a first line that stands alone, or its name."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of plain text."""
    builder = DocumentBuilder()
    title = ""
    for position, paragraph in enumerate(paragraphs(text)):
        lines = paragraph.lines
        if len(lines) == 1 and _UNDERLINE.fullmatch(lines[0]):
            continue
        level = _heading_level(lines)
        if position == 0 and (level or _stands_alone(lines, text)):
            title = lines[0].strip()
            level = level or 1
        size = _heading_size(lines) if level else 0
        if level:
            builder.add_heading(level, _line_block(lines[0], paragraph.numbers[0]))
        _add_body(builder, Paragraph(lines[size:], paragraph.numbers[size:]))
    return builder.build(source, title or PurePosixPath(source).stem)


def _stands_alone(lines: list[str], text: str) -> bool:
    """Whether a first paragraph is a title: one short line, not a sentence, with text after it."""
    line = lines[0].strip()
    return (
        len(lines) == 1
        and len(line) <= _HEADING_LENGTH
        and line[-1] not in ".,;:"
        and (len(text.strip()) > len(line))
    )


def _heading_level(lines: list[str]) -> int:
    """The level of the heading that a paragraph begins with, or 0."""
    line = lines[0].strip()
    if len(line) > _HEADING_LENGTH:
        return 0
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and len(lines[1]) * 2 >= len(line):
        return 1 if lines[1][0] in "=*" else 2
    if len(lines) > 1 or line[-1] in ".,;:!?":
        return 0
    if numbered := _NUMBERED.fullmatch(line):
        return 1 + (numbered.group(1) or "").count(".") if len(line.split()) <= 10 else 0
    shouts = line.isupper() and sum(character.isalpha() for character in line) >= 4
    return 1 if shouts else 0


def _heading_size(lines: list[str]) -> int:
    """How many lines a heading takes, with its underline."""
    return 2 if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) else 1


def _add_body(builder: DocumentBuilder, paragraph: Paragraph) -> None:
    """Add a paragraph: wrapped lines are joined, lines that end early stay lines."""
    if is_wrapped(paragraph.lines):
        text, marks = join(paragraph, " ")
        builder.add_block(Block(text, lines=marks))
        return
    for position, line in enumerate(paragraph.lines):
        block = _line_block(line, paragraph.numbers[position])
        builder.add_block(block, separator="\n" if position else "\n\n")


def _line_block(line: str, number: int) -> Block:
    return Block(line.strip(), lines=(LineMark(0, number),))
