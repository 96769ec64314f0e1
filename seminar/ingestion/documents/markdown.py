"""Markdown: the blocks of CommonMark with tables, with links and source lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify, read_text, without_comments
from seminar.types import Document

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_NOT_SHOWN = ("<script", "<style")
_NESTING_LIMIT = 100
_BREAKS = frozenset({"softbreak", "hardbreak"})
# Anything that may be markup inside a line.
_MARKED_UP = re.compile(r"[\\`*_\[\]<&!]|https?:|  \n")


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a Markdown file."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of Markdown; its title is the front matter's, its first heading or its name."""
    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    first_line = front.group().count("\n") + 1 if front else 1
    page = _Page(DocumentBuilder(), source, first_line=first_line)
    page.read(body)
    titled = _FRONT_TITLE.search(front.group(1)) if front else None
    title = titled.group(2).strip() if titled else page.first_heading
    return page.builder.build(source, title or PurePosixPath(source).stem)


def add(builder: DocumentBuilder, text: str, source: str, *, first_line: int) -> str:
    """Add the blocks of a Markdown text to a document, and return its first heading."""
    page = _Page(builder, source, first_line=first_line)
    page.read(text)
    return page.first_heading


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING_LIMIT}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # lines are parsed only where marked up
    return parser


class _Page:
    """Adds the blocks of a Markdown text to a builder."""

    def __init__(self, builder: DocumentBuilder, source: str, *, first_line: int) -> None:
        self.builder = builder
        self.first_heading = ""
        self._source = source
        self._first_line = first_line
        self._parser = _parser()
        self._inline = InlineBuilder()
        self._environment: dict[str, object] = {}  # link references, filled by the block parser
        self._heading = 0
        self._items = 0
        self._item_begins = False
        self._after_item = False
        self._in_row = False
        self._in_head = False
        self._table = Table(self._inline, marked=True)

    def read(self, text: str) -> None:
        for token in self._parser.parse(text, self._environment):
            if token.level >= _NESTING_LIMIT - 2:  # the parser passes over what is deeper
                raise IngestionError(f"quotes or lists nested more than {_NESTING_LIMIT} deep")
            self._read_token(token)

    def _read_token(self, token: Token) -> None:
        line = self._first_line + token.map[0] if token.map else 0
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1])
            case "list_item_open":
                self._items += 1
                self._item_begins = True
            case "list_item_close":
                self._items -= 1
            case "inline" if self._in_row:
                self._table.begin_cell(heading=self._in_head)
                self._add_inline(token.content, line)
            case "inline":
                self._add_inline(token.content, line)
                self._end_block()
            case "fence" | "code_block":
                first = line + 1 if token.type == "fence" else line
                self._inline.add_lines(token.content, first, verbatim=True)
                self._end_block()
            case "html_block" if not token.content.lstrip().lower().startswith(_NOT_SHOWN):
                self._inline.mark_line(line)
                self._inline.add(unescape(_TAG.sub(" ", without_comments(token.content))))
                self._end_block()
            case "table_open":
                self._table = Table(self._inline, marked=True)
            case "thead_open" | "thead_close":
                self._in_head = token.type == "thead_open"
            case "tr_open":
                self._in_row = True
                self._table.begin_row()
            case "tr_close":
                self._table.end_row()
                self._in_row = False
                self._item_begins = True
                self._end_block()

    def _end_block(self) -> None:
        block = self._inline.take()
        if block.text and self._heading:
            self.first_heading = self.first_heading or block.text
            self.builder.add_heading(self._heading, block)
        elif block.text:
            tight = self._item_begins and self._after_item
            self.builder.add_block(block, "\n" if tight else "\n\n")
        self._after_item = self._item_begins
        self._item_begins = False
        self._heading = 0

    def _add_inline(self, content: str, line: int) -> None:
        if not _MARKED_UP.search(content):
            self._inline.add_lines(content, line)
            return
        self._inline.mark_line(line)
        tokens: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._environment, tokens)
        breaks = sum(1 for token in tokens if token.type in _BREAKS)
        # A line end within code or a tag is no token: then only the first line is certain.
        self._add_tokens(tokens, line if breaks == content.count("\n") else None)

    def _add_tokens(self, tokens: Sequence[Token], line: int | None) -> None:
        for token in tokens:
            match token.type:
                case "text" | "text_special" | "code_inline":
                    self._inline.add(token.content)
                case "html_inline" if token.content.startswith("<br"):
                    self._inline.break_line()
                case "softbreak":
                    self._inline.add(" ")
                case "hardbreak":
                    self._inline.break_line()
                case "link_open":
                    self._inline.open_link(resolve(str(token.attrGet("href")), self._source))
                case "link_close":
                    self._inline.close_link()
            if line is not None and token.type in _BREAKS:
                line += 1
                self._inline.mark_line(line)
