"""Source code: docstrings and comments as prose, the rest as code, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path, PurePosixPath

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, String
from pygments.util import ClassNotFound

from seminar.errors import IngestionError
from seminar.ingestion.documents import python_code
from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.documents.python_code import Heading, Kind
from seminar.ingestion.paragraphs import Paragraph, is_wrapped, join
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document

SIZE_LIMIT = 4_000_000  # characters; more are made by programs
_PROSE_MARK = re.compile(r"[ \t]*(?:[rRbBuUfF]{0,2}(?:\"\"\"|''')|//[/!]?|/\*[*!]?|#+|--+|;+|%+)")
_CONTINUED = re.compile(r"[ \t]*\*(?!/)[ \t]?")
_PROSE_END = re.compile(r"[ \t]*(?:\*+/|\"\"\"|''')[ \t]*$")
_PROSE = frozenset({Comment, String.Doc})
_NO_PROSE = frozenset({Comment.Preproc, Comment.PreprocFile, Comment.Hashbang})
_RULE = re.compile(r"[\W_]*")


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a file of source code."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of source code; classes and functions of Python are its sections."""
    if len(text) > SIZE_LIMIT:
        raise IngestionError(f"source code of more than {SIZE_LIMIT:,} characters")
    lines = text.split("\n")
    name = PurePosixPath(source).name
    outline = python_code.outline(text) if name.endswith((".py", ".pyi")) else None
    kinds = outline.kinds if outline else _kinds(text, name)
    headings = {heading.line: heading for heading in outline.headings} if outline else {}
    page = _Page(lines)
    for kind, numbers in _runs(lines, kinds, headings):
        if kind == "heading":
            page.add_heading(headings[numbers[0]])
        elif kind in ("prose", "docstring"):
            page.add_prose(numbers)
        else:
            page.add_code(numbers)
    return page.builder.build(source, name)


def _runs(
    lines: Sequence[str], kinds: Sequence[Kind], headings: dict[int, Heading]
) -> Iterator[tuple[str, list[int]]]:
    """Runs of lines of one kind with their numbers from 1; blank lines separate runs of code."""

    def kind_of(number: int) -> tuple[str, int]:
        kind = kinds[number - 1]
        if number in headings:
            return "heading", number
        if kind == "code" and not lines[number - 1].strip():
            return "blank", 0
        return kind, 0

    for (kind, _), numbers in groupby(range(1, len(lines) + 1), key=kind_of):
        if kind not in ("blank", "in heading"):
            yield kind, list(numbers)


class _Page:
    """Adds the lines of a file to a document."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.builder = DocumentBuilder()
        self._lines = lines
        self._ends: list[tuple[int, int]] = []  # last line and level of each open section

    def add_heading(self, heading: Heading) -> None:
        """Add the first lines of a class or function."""
        self._end_sections(heading.line)
        inline = InlineBuilder()
        lines = self._lines[heading.line - 1 : heading.body - 1]
        inline.add_lines("\n".join(lines), heading.line)
        self.builder.add_heading(heading.level, inline.take())
        self._ends.append((heading.last, heading.level))

    def add_prose(self, numbers: list[int]) -> None:
        """Add comments or a docstring, without their marks; wrapped lines are joined."""
        self._end_sections(numbers[0])
        words = [(number, _without_marks(self._lines[number - 1])) for number in numbers]
        for is_rule, group in groupby(words, key=lambda word: bool(_RULE.fullmatch(word[1]))):
            if is_rule:
                continue
            paragraph = list(group)
            lines = [line for _, line in paragraph]
            joined = join(
                Paragraph(lines, [number for number, _ in paragraph]),
                " " if is_wrapped(lines) else "\n",
            )
            self.builder.add_block(Block(joined[0], lines=joined[1]))

    def add_code(self, numbers: list[int]) -> None:
        """Add lines of code as they are."""
        self._end_sections(numbers[0])
        inline = InlineBuilder()
        code = "\n".join(self._lines[numbers[0] - 1 : numbers[-1]])
        inline.add_lines(code, numbers[0], verbatim=True)
        self.builder.add_block(inline.take())

    def _end_sections(self, line: int) -> None:
        """End the sections whose class or function is over before this line."""
        while self._ends and self._ends[-1][0] < line:
            _, level = self._ends.pop()
            self.builder.end_sections(level)


def _without_marks(line: str) -> str:
    """A line of a comment or docstring without what marks it as one."""
    begin = _PROSE_MARK.match(line) or _CONTINUED.match(line)
    words = line[begin.end() :] if begin else line
    return _PROSE_END.sub("", words).strip()


@cache
def _lexer(suffix: str) -> Lexer | None:
    """The lexer for a suffix; finding one takes longer than reading most files."""
    try:
        return get_lexer_for_filename(f"file{suffix}")
    except ClassNotFound:
        return None


def _kinds(text: str, name: str) -> list[Kind]:
    """The kind of each line, by the tokens that a lexer finds on it."""
    kinds: list[Kind] = ["code"] * (text.count("\n") + 1)
    lexer = _lexer(PurePosixPath(name).suffix.lower())
    if lexer is None:
        return kinds
    is_prose: dict[object, bool] = {}  # by kind of token
    coded: set[int] = set()
    prose: set[int] = set()
    line = at = 0
    for start, kind, content in lexer.get_tokens_unprocessed(text):
        line += text.count("\n", at, start)
        at = start
        if not content.strip():
            continue
        if kind not in is_prose:
            above = set(kind.split())  # the kind and those that it belongs to
            is_prose[kind] = bool(above & _PROSE) and not above & _NO_PROSE
        skipped = len(content) - len(content.lstrip())
        first = line + content.count("\n", 0, skipped)
        last = first + content.strip().count("\n")
        (prose if is_prose[kind] else coded).update(range(first, last + 1))
    for number in prose - coded:
        kinds[number] = "prose"
    return kinds
