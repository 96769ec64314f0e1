"""Markdown: CommonMark with tables, by its blocks; links keep their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path, PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import Draft
from seminar.ingestion.documents.inline import Inline
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.streams.decoding import Notify, check_lines, read_text, without_comments
from seminar.types import Document

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_NOT_SHOWN = ("<script", "<style")
_NESTING_LIMIT = 100
# Anything that could mean more than itself inside a line.
_MARKED_UP = re.compile(r"[\\`*_\[\]<&!]|https?:|  \n")


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The one document of a Markdown file."""
    text = read_text(path, notify)
    check_lines(text)
    yield parse(text, source)


def parse(text: str, source: str) -> Document:
    """A document of Markdown; its title is the front matter's, its first heading or its name."""
    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    page = _Page(source)
    page.read(body)
    titled = _FRONT_TITLE.search(front.group(1)) if front else None
    title = titled.group(2).strip() if titled else page.first_heading
    return page.draft.document(source, title or PurePosixPath(source).stem)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING_LIMIT}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # lines are parsed only where marked up
    return parser


class _Page:
    """The blocks of a Markdown text, into a draft."""

    def __init__(self, source: str) -> None:
        self.draft = Draft()
        self.first_heading = ""
        self._source = source
        self._parser = _parser()
        self._inline = Inline()
        self._environment: dict[str, object] = {}  # link references, filled by the block parser
        self._heading = 0
        self._items = 0
        self._item_begins = False
        self._after_item = False
        self._in_row = False

    def read(self, text: str) -> None:
        for token in self._parser.parse(text, self._environment):
            if token.level >= _NESTING_LIMIT - 2:  # the parser passes over what is deeper
                raise IngestionError(f"quotes or lists nested more than {_NESTING_LIMIT} deep")
            self._read_token(token)

    def _read_token(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1])
            case "list_item_open":
                self._items += 1
                self._item_begins = True
            case "list_item_close":
                self._items -= 1
            case "inline" if self._in_row:
                self._inline.separate(" | ")
                self._add_inline(token.content)
            case "inline":
                self._add_inline(token.content)
                self._end_block()
            case "fence" | "code_block":
                self._inline.add_verbatim(token.content)
                self._end_block()
            case "html_block" if not token.content.lstrip().lower().startswith(_NOT_SHOWN):
                self._inline.add(unescape(_TAG.sub(" ", without_comments(token.content))))
                self._end_block()
            case "tr_open":
                self._in_row = True
            case "tr_close":
                self._in_row = False
                self._item_begins = True
                self._end_block()

    def _end_block(self) -> None:
        text, links = self._inline.take()
        if text and self._heading:
            self.first_heading = self.first_heading or text
            self.draft.heading(self._heading, text, links)
        elif text:
            tight = self._item_begins and self._after_item
            self.draft.block(text, links, "\n" if tight else "\n\n")
        self._after_item = self._item_begins
        self._item_begins = False
        self._heading = 0

    def _add_inline(self, content: str) -> None:
        if not _MARKED_UP.search(content):
            self._inline.add(content)
            return
        tokens: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._environment, tokens)
        self._add_tokens(tokens)

    def _add_tokens(self, tokens: Sequence[Token]) -> None:
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
