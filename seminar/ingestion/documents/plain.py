"""Plain text: paragraphs, and headings where they are plain to see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.documents.document_builder import Draft
from seminar.ingestion.streams.decoding import Notify, check_lines, read_text
from seminar.types import Document

_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_UNDERLINE = re.compile(r"(=|-|~|\*)\1{2,}\s*")
_NUMBERED = re.compile(r"(?:chapter\s+\w+|(\d{1,2}(?:\.\d{1,2}){0,4})\.?)\s+\S.*", re.IGNORECASE)
_LIST_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s")
_HEADING_LENGTH = 80
_WRAPPED_AT = 45


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The one document of a text file; its title is a first line that stands alone, or its name."""
    text = read_text(path, notify)
    check_lines(text)
    yield parse(text, source)


def parse(text: str, source: str) -> Document:
    """A document of plain text."""
    draft = Draft()
    title = ""
    for number, paragraph in enumerate(_PARAGRAPHS.split(text.strip())):
        lines = [line.rstrip() for line in paragraph.split("\n") if line.strip()]
        if not lines or (len(lines) == 1 and _UNDERLINE.fullmatch(lines[0])):
            continue
        level = _heading_level(lines)
        if number == 0 and (level or _stands_alone(lines, text)):
            title = lines[0].strip()
            level = level or 1
        if level:
            draft.heading(level, lines[0].strip())
            lines = _body(lines)
        _add(draft, lines)
    return draft.document(source, title or PurePosixPath(source).stem)


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


def _body(lines: list[str]) -> list[str]:
    return lines[2:] if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) else lines[1:]


def _add(draft: Draft, lines: list[str]) -> None:
    """A paragraph: wrapped lines are joined, lines that end early stay lines."""
    if is_wrapped(lines):
        draft.block(" ".join(line.strip() for line in lines))
        return
    for position, line in enumerate(lines):
        draft.block(line.strip(), separator="\n" if position else "\n\n")


def is_wrapped(lines: list[str]) -> bool:
    """Whether the lines of a paragraph were broken for width only."""
    if len(lines) < 2 or any(_LIST_ITEM.match(line) or "\t" in line for line in lines[1:]):
        return False
    return min(len(line) for line in lines[:-1]) >= _WRAPPED_AT
