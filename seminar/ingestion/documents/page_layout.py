"""Building a document from lines on pages: paragraphs, headings by size, no running heads."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from seminar.ingestion.documents import page_tables
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block
from seminar.ingestion.documents.page_tables import Row, Word
from seminar.types import Document, Page

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"\W*(?:page\s+)?(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.I
)
_ITEM = re.compile(r"(?:[•◦▪‣–*-]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z]\S*(?:\s+\S+){0,9}")
_ENDS_SENTENCE = re.compile(r"[.!?:;][\"'”’)\]]*$")
_LEADERS = re.compile(r"(?:\. ?){4}")  # dots that lead to a page number
_HEADING_LENGTH = 120
_LARGER = 1.15


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page and its position in points; y grows upwards."""

    text: str
    page: int
    left: float
    right: float
    top: float  # baseline of its first character
    bottom: float  # baseline of its last: another line's where a word was hyphenated
    size: float
    font: str = ""  # of its first character
    words: tuple[Word, ...] = ()  # with their edges, of lines that may be rows of a table


@dataclass(frozen=True, slots=True)
class _TableLines:
    page: int
    rows: Sequence[Row]


def compose(lines: Sequence[Line], source: str, *, title: str, name: str) -> Document:
    """The document of a paged source; its title defaults to the largest heading of page one."""
    lines = _without_running_heads(lines)
    body = _body_size(lines)
    levels = _heading_levels(lines, body)
    builder = DocumentBuilder()
    starts: dict[int, int] = {}  # page number to the offset at which it begins
    largest = (0.0, "")
    for part in _parts(lines):
        if isinstance(part, _TableLines):
            _add_table(builder, part, starts)
            continue
        text, offsets = _join(part)
        level = _level(part, text, levels)
        if level and part[0].page == lines[0].page and part[0].size > largest[0]:
            largest = (part[0].size, text)
        block = Block(text)
        start = builder.add_heading(level, block) if level else builder.add_block(block)
        for line, offset in zip(part, offsets, strict=True):
            starts.setdefault(line.page, start + offset)
    document = builder.build(source, title or largest[1] or name)
    ends = [*list(starts.values())[1:], len(document.text)]
    pages = zip(starts.items(), ends, strict=True)
    return replace(
        document, pages=tuple(Page(number, start, end) for (number, start), end in pages)
    )


def _add_table(builder: DocumentBuilder, table: _TableLines, starts: dict[int, int]) -> None:
    separator = "\n\n"
    for block in page_tables.describe(table.rows):
        start = builder.add_block(block, separator)
        starts.setdefault(table.page, start)
        separator = "\n"


def _without_running_heads(lines: Sequence[Line]) -> list[Line]:
    """The lines without page numbers and without those repeated at the edges of pages."""
    body = _body_size(lines)
    edges = [line for page in _pages(lines) for line in _edge(page) if line.size <= body * _LARGER]
    page_count = len({line.page for line in lines})
    seen = Counter((_pattern(line), line.page) for line in edges)
    repeated = Counter(pattern for pattern, _ in seen)
    enough = max(3, page_count * 0.3)  # a third: left and right pages may differ
    dropped = {
        id(line)
        for line in edges
        if repeated[_pattern(line)] >= enough
        or (page_count > 1 and _PAGE_NUMBER.fullmatch(line.text))
    }
    return [line for line in lines if id(line) not in dropped] or list(lines)


def _pages(lines: Sequence[Line]) -> list[list[Line]]:
    pages: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    return list(pages.values())


def _edge(page: Sequence[Line]) -> list[Line]:
    """The two highest and the two lowest lines of a page."""
    by_height = sorted(page, key=lambda line: -line.top)
    return by_height if len(by_height) <= 4 else by_height[:2] + by_height[-2:]


def _pattern(line: Line) -> str:
    return _DIGITS.sub("#", line.text.casefold())


def _body_size(lines: Sequence[Line]) -> float:
    """The font size of most characters."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0]


def _heading_levels(lines: Sequence[Line], body: float) -> dict[float, int]:
    """Levels of the font sizes that headings have, the largest first."""
    sizes = {round(line.size, 1) for line in lines if line.size > body * _LARGER}
    return {size: min(level, 6) for level, size in enumerate(sorted(sizes, reverse=True), start=1)}


def _level(paragraph: Sequence[Line], text: str, levels: dict[float, int]) -> int:
    if len(text) > _HEADING_LENGTH or _LEADERS.search(text) or not re.search(r"[^\W\d_]", text):
        return 0
    if levels:
        return levels.get(round(paragraph[0].size, 1), 0)
    if not _NUMBERED.fullmatch(text) or _ENDS_SENTENCE.search(text):
        return 0
    return min(1 + text.split()[0].rstrip(".").count("."), 6)


def _parts(lines: Sequence[Line]) -> Iterator[list[Line] | _TableLines]:
    """The paragraphs and tables of a source, in order."""
    steps = [
        before.bottom - line.top
        for before, line in pairwise(lines)
        if before.page == line.page and before.bottom > line.top
    ]
    leading = median(steps) if steps else 0.0
    right = {page[0].page: max(line.right for line in page) for page in _pages(lines)}
    rows = [Row(line.words, line.page, line.top, line.size, line.font) for line in lines]
    for run in page_tables.divide(rows):
        if run.is_table:
            yield _TableLines(lines[run.start].page, rows[run.start : run.end])
        else:
            yield from _paragraphs(lines[run.start : run.end], leading, right)


def _paragraphs(
    lines: Sequence[Line], leading: float, right: Mapping[int, float]
) -> Iterator[list[Line]]:
    paragraph: list[Line] = []
    for line in lines:
        if paragraph and _begins(line, paragraph, leading, right[paragraph[-1].page]):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield paragraph


def _begins(line: Line, paragraph: Sequence[Line], leading: float, right: float) -> bool:
    """Whether a line begins a new paragraph instead of continuing the last one."""
    before = paragraph[-1]
    if abs(line.size - before.size) > 0.12 * max(line.size, before.size) or _ITEM.match(line.text):
        return True
    ended = _ENDS_SENTENCE.search(before.text) is not None
    if line.page != before.page or line.top > before.bottom:  # next page, or next column
        return ended or not line.text[0].islower()
    if before.bottom - line.top > 1.35 * leading:
        return True
    indented = line.left > min(other.left for other in paragraph) + 0.8 * line.size
    short = before.right < right - 0.2 * (right - before.left)
    return (ended and (indented or short)) or _stands_alone(paragraph, short)


def _stands_alone(paragraph: Sequence[Line], short: bool) -> bool:
    return len(paragraph) == 1 and short and _NUMBERED.fullmatch(paragraph[0].text) is not None


def _join(paragraph: Sequence[Line]) -> tuple[str, list[int]]:
    """A paragraph's text and the offset of each of its lines."""
    text = ""
    offsets = []
    for line in paragraph:
        if text.endswith("-") and line.text[0].islower() and text[-2:-1].isalpha():
            text = text[:-1]  # a word broken at the end of a page or line
        elif text:
            text += " "
        offsets.append(len(text))
        text += line.text
    return text, offsets
