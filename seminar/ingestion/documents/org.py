"""Org mode: headlines, paragraphs, lists, tables and blocks, with links and source lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document

_HEADLINE = re.compile(r"(\*+)[ \t]+(.*)")
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|HOLD|CANCELLED)[ \t]+(?=\S)|\[#[A-Z]\][ \t]*")
_TAGS = re.compile(r"[ \t]+:[\w@#%:]+:[ \t]*$")
_KEYWORD = re.compile(r"[ \t]*#\+(\w+)(?:\[[^\]]*\])?:[ \t]*(.*)", re.IGNORECASE)
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)", re.IGNORECASE)
_END = re.compile(r"[ \t]*#\+end_(\w+)[ \t]*$", re.IGNORECASE)
_NO_TEXT = re.compile(r"[ \t]*(?:#(?:[ \t]|$)|#\+end_|-{5,}[ \t]*$)", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:[\w-]+:[ \t]*$")
_DRAWER_END = re.compile(r"[ \t]*:END:[ \t]*$", re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*(?:[-+]|\d+[.)])(?:[ \t]+|$)|[ \t]+\*[ \t]+")
_CHECKBOX = re.compile(r"\[[ X-]\][ \t]+")
_RULE_ROW = re.compile(r"[ \t]*\|[-+|: \t]*$")
_PLANNING = re.compile(r"[ \t]*(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):[ \t]*[<\[]")
_PROSE_BLOCKS = frozenset({"quote", "verse", "center", "note", "warning", "tip", "abstract"})
_SILENT_BLOCKS = frozenset({"comment", "export"})
_INLINE = re.compile(
    r"\[\[([^\[\]\n]{1,2000})\](?:\[([^\[\]\n]{1,2000})\])?\]"  # a link and its words
    r"|(?<![\w*/_=~+])([*/_=~+])(?=\S)([^\n]{1,300}?)(?<=\S)\3(?![\w*/_=~+])"  # emphasis
    r"|\[fn:[^\]\n]{0,100}\]"
)


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of an Org file."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of Org mode; its title is `#+title`, else the first headline or its name."""
    page = _Page(text.split("\n"), source)
    page.read()
    return page.builder.build(
        source, page.title or page.first_headline or PurePosixPath(source).stem
    )


def _ends(lines: list[str]) -> dict[str, list[int]]:
    """The places of the lines that end blocks, by the kind of block."""
    ends: defaultdict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        if end := _END.match(line):
            ends[end.group(1).lower()].append(place)
    return ends


class _Page:
    """Adds the lines of a file to a document, block by block."""

    def __init__(self, lines: list[str], source: str) -> None:
        self.builder = DocumentBuilder()
        self.title = ""
        self.first_headline = ""
        self._lines = lines
        self._source = source
        self._inline = InlineBuilder()
        self._table: Table | None = None
        self._at = 0
        self._ends = _ends(lines)
        self._is_item = False
        self._after_item = False

    def read(self) -> None:
        """Add all lines."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if not line.lstrip().startswith("|"):
                self._table = None
            if headline := _HEADLINE.fullmatch(line):
                self._add_headline(*headline.groups())
            elif begin := _BEGIN.match(line):
                self._add_source_block(begin.group(1).lower())
            elif keyword := _KEYWORD.match(line):
                self._read_keyword(*keyword.groups())
            elif _DRAWER.match(line):
                self._skip_drawer()
            elif line.lstrip().startswith("|"):
                self._add_row(line)
            elif not line.strip() or _NO_TEXT.match(line):
                self._end_block()
            elif not _PLANNING.match(line):
                self._add_line(line)
        self._end_block()

    def _add_headline(self, stars: str, words: str) -> None:
        self._end_block()
        while state := _STATE.match(words):
            words = words[state.end() :]
        self._inline.mark_line(self._at)
        self._add_words(_TAGS.sub("", words))
        block = self._inline.take()
        if block.text:
            self.first_headline = self.first_headline or block.text
            self.builder.add_heading(len(stars), block)
        self._after_item = False

    def _read_keyword(self, keyword: str, value: str) -> None:
        self._end_block()
        if keyword.lower() == "title":
            self.title = self.title or value.strip()
        if keyword.lower() in ("title", "subtitle", "caption", "author", "date"):
            self._inline.mark_line(self._at)
            self._add_words(value)
            self._end_block()

    def _add_source_block(self, kind: str) -> None:
        """Add what stands between #+begin and #+end; without an end, the line alone is dropped."""
        self._end_block()
        if kind in _PROSE_BLOCKS:
            return  # its lines are read like any other
        ends = self._ends.get(kind, [])
        place = bisect_left(ends, self._at)
        if place == len(ends):
            return
        last = ends[place]
        if kind not in _SILENT_BLOCKS:
            code = "\n".join(self._lines[self._at : last])
            self._inline.add_lines(code, self._at + 1, verbatim=True)
            self._end_block()
        self._at = last + 1

    def _skip_drawer(self) -> None:
        """Pass over a drawer of properties; one without an end is only its line."""
        for number in range(self._at, min(self._at + 200, len(self._lines))):
            if _DRAWER_END.match(self._lines[number]):
                self._at = number + 1
                return

    def _add_row(self, line: str) -> None:
        if _RULE_ROW.match(line):
            return
        if self._table is None:
            self._end_block()
            self._after_item = False
            self._table = Table(self._inline, marked=True)
        following = self._lines[self._at] if self._at < len(self._lines) else ""
        heading = bool(_RULE_ROW.match(following)) and following.strip() != ""
        self._inline.mark_line(self._at)
        self._table.begin_row()
        for cell in line.strip().strip("|").split("|"):
            self._table.begin_cell(heading=heading)
            self._add_words(cell.strip())
        self._table.end_row()
        self._is_item = True
        self._end_block()

    def _add_line(self, line: str) -> None:
        if item := _ITEM.match(line):
            self._end_block()
            self._is_item = True
            line = _CHECKBOX.sub("", line[item.end() :], count=1)
        self._inline.mark_line(self._at)
        self._add_words(line)
        self._inline.add(" ")

    def _end_block(self) -> None:
        block = self._inline.take()
        if block.text:
            tight = self._is_item and self._after_item
            self.builder.add_block(block, "\n" if tight else "\n\n")
            self._after_item = self._is_item
        self._is_item = False

    def _add_words(self, text: str) -> None:
        """Add the words of a line, without marks of emphasis and with its links."""
        at = 0
        for found in _INLINE.finditer(text):
            self._inline.add(text[at : found.start()])
            target, words, _, emphasised = found.groups()
            if target:
                self._inline.open_link(resolve(target.removeprefix("file:"), self._source))
                self._inline.add(words or target)
                self._inline.close_link()
            elif emphasised:
                self._inline.add(emphasised)
            at = found.end()
        self._inline.add(text[at:])
