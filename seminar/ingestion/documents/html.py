"""HTML: the visible text of a page, with headings, links and source lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.html_lines import HtmlLines
from seminar.ingestion.documents.html_tables import names_columns
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify, clean, decode_source, read_content
from seminar.types import Document

_DROPPED = frozenset(
    """
    script style nav footer aside template noscript iframe object embed svg math canvas audio video
    button select textarea input datalist dialog head menu map area link meta -comment -doctype
    """.split()
)
_HIDDEN = (
    "[hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo],"
    "[role=search], [role=complementary], [style*='display:none'], [style*='display: none'],"
    "[style*='visibility:hidden'], [style*='visibility: hidden'],"
    "#toc, .toc, .mw-editsection, sup.reference"  # wikis' contents, edit links and footnote marks
)
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS = frozenset(
    """
    address article blockquote body caption center dd details div dl dt fieldset figcaption figure
    form header hgroup hr html legend li main ol p pre section summary table tbody tfoot thead tr ul
    """.split()
) | frozenset(_HEADINGS)
_CELLS = frozenset({"td", "th"})
_ITEMS = frozenset({"li", "dt", "dd", "tr"})
_IN_VALUES = frozenset({"p", "div", "ul", "ol", "li"})  # blocks that don't divide a cell of a row
_CONTENT = frozenset({"article", "main", "section"})
_REPEATING = frozenset({"nav", "header", "footer", "aside", "menu"})  # of headings shown elsewhere
_DEPTH_LIMIT = 2_000
_CLOSE_LIMIT = 30  # elements left open that one closing tag may end
_BARRIERS = frozenset({"table", "caption", "button", "object", "template", "marquee", "applet"})
_NESTING_TAG = re.compile(
    rb"<(/?)(?!(?:p|li|dt|dd|tr|td|th|tbody|thead|tfoot|option|br|img|hr|input|meta|link|col|wbr"
    rb"|area|base|embed|source|track|param)\b)([a-z][^\s/>]*)",
    re.IGNORECASE,
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)


def recognises(head: bytes) -> bool:
    """Whether a file begins as a page of HTML."""
    return (
        head[:1_000]
        .lstrip(b"\xef\xbb\xbf \t\r\n")
        .lower()
        .startswith((b"<html", b"<!doctype html"))
    )


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of an HTML file."""
    yield read_page(read_content(path), source, notify)


def read_page(content: bytes, source: str, notify: Notify, *, declared: str = "") -> Document:
    """The document of a page's bytes; `declared` is the encoding that was sent with it."""
    check_depth(content)
    charset = _CHARSET.search(content[:4096])
    named = declared or (charset.group(1).decode("ascii") if charset else None)
    return parse_source(decode_source(content, notify, declared=named), source, parse)


def parse(text: str, source: str, *, title: str = "") -> Document:
    """A document of HTML; a chapter of a book has the book's title."""
    tree = LexborHTMLParser(text)
    main = tree.css_first("main, [role=main]")
    for root in (main, tree.body):
        if root is not None:
            hidden = {node.mem_id for node in tree.css(_HIDDEN)}
            page = _Page(source, hidden, HtmlLines(text))
            page.read(root)
            if not page.builder.is_empty:
                return page.builder.build(source, title or _title(tree, page.main_headings, source))
    raise IngestionError("empty: the page shows no text")


def check_depth(content: bytes) -> None:
    """Raise IngestionError at extreme nesting: building the tree takes the square of its depth."""
    elements: list[str] = []
    for match in _NESTING_TAG.finditer(content):
        tag = match.group(2).decode("latin-1").lower()
        if match.group(1):
            _close(elements, tag)
        else:
            elements.append(tag)
        if len(elements) > _DEPTH_LIMIT:
            raise IngestionError(f"elements nested more than {_DEPTH_LIMIT:,} deep")


def _close(elements: list[str], tag: str) -> None:
    """End the open element that a closing tag names, with all that is open in it, as browsers do.

    A tag ends nothing beyond a table, and only a block's tag ends a block.
    """
    for size, element in enumerate(reversed(elements[-_CLOSE_LIMIT:]), start=1):
        if element == tag:
            del elements[-size:]
            return
        if element in _BARRIERS or (element in _BLOCKS and tag not in _BLOCKS):
            return


def _title(tree: LexborHTMLParser, main_headings: list[str], source: str) -> str:
    """The only main heading, else the title element, else the file's name."""
    if len(main_headings) == 1:
        return main_headings[0]
    node = tree.css_first("title")
    title = " ".join((node.text() or "").split()) if node is not None else ""
    return title or PurePosixPath(source).stem


def _count(node: LexborNode, attribute: str) -> int:
    """The number of columns or rows that a cell takes."""
    value = node.attributes.get(attribute) or ""
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 6 else 1


class _Page:
    """Adds a page's elements to a builder, in reading order and without recursion."""

    def __init__(self, source: str, hidden: set[int], lines: HtmlLines) -> None:
        self.builder = DocumentBuilder()
        self.main_headings: list[str] = []
        self._source = source
        self._hidden = hidden
        self._lines = lines
        self._inline = InlineBuilder()
        self._blocks: list[str] = []  # the open block elements
        self._after_item = False
        self._tables: list[Table] = []
        self._named: list[bool] = []  # whether the first row of each names its columns

    def read(self, root: LexborNode) -> None:
        """Add all visible text under the root."""
        self._blocks.append(root.tag or "")
        self._lines.skip_to(f"<{root.tag}")
        node = root.first_child
        while node is not None:
            shown = self._enter(node)
            child = node.first_child if shown else None
            node = child if child is not None else self._following(node, root, leave=shown)
        self._flush()

    def _following(self, node: LexborNode, root: LexborNode, *, leave: bool) -> LexborNode | None:
        """The node after this one in reading order; elements end on the way there."""
        here: LexborNode | None = node
        while here is not None and here.mem_id != root.mem_id:
            if leave:
                self._leave(here.tag or "")
            if (following := here.next) is not None:
                return following
            here, leave = here.parent, True
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Begin a node, and return whether it is an element whose children are to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self._add(node.text_content or "")
            return False
        if tag == "br":
            self._break_line()
            return False
        if self._is_dropped(node, tag):
            if tag in _REPEATING or node.mem_id in self._hidden:
                self._lines.skip(node.text(deep=True, separator="<"))
            return False
        if tag == "a":
            self._inline.open_link(resolve(node.attributes.get("href") or "", self._source))
        elif tag in _CELLS:
            self._begin_cell(node, tag)
        elif tag in _BLOCKS:
            self._end_block(tag)
            self._blocks.append(tag)
            if tag == "table":
                self._tables.append(Table(self._inline, marked=True))
                self._named.append(names_columns(node))
            elif tag == "tr" and self._tables:
                self._tables[-1].begin_row()
        return True

    def _begin_cell(self, node: LexborNode, tag: str) -> None:
        if not self._tables:
            self._inline.begin_cell(" | ")
            return
        span, rows = _count(node, "colspan"), _count(node, "rowspan")
        heading = tag == "th" or (self._named[-1] and self._tables[-1].rows == 1)
        self._tables[-1].begin_cell(span=span, rows=rows, heading=heading)

    def _break_line(self) -> None:
        if self._tables and self._tables[-1].is_in_value:
            self._inline.add(" ")
        else:
            self._inline.break_line()

    def _end_block(self, tag: str) -> None:
        """End the current block, where a block element begins or ends; a value in a row goes on."""
        if tag in _IN_VALUES and self._tables and self._tables[-1].is_in_value:
            self._inline.add(" ")
        else:
            self._flush()

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self._inline.close_link()
        elif tag in _BLOCKS:
            if tag == "tr" and self._tables:
                self._tables[-1].end_row()
            self._end_block(tag)
            self._blocks.pop()
            if tag == "table":
                self._tables.pop()
                self._named.pop()

    def _is_dropped(self, node: LexborNode, tag: str) -> bool:
        if tag in _DROPPED or (tag == "header" and not self._in_content()):
            return True
        return bool(self._hidden) and node.mem_id in self._hidden

    def _in_content(self) -> bool:
        """Whether a header here heads an article, and not the whole site."""
        return any(tag in _CONTENT for tag in self._blocks)

    def _add(self, text: str) -> None:
        preformatted = "pre" in self._blocks
        line = None if text.isspace() else self._lines.line_of(text, preformatted=preformatted)
        content = clean(text) if preformatted else text
        if line is not None:
            self._inline.add_lines(content, line, verbatim=preformatted)
        elif preformatted:
            self._inline.add_verbatim(content)
        else:
            self._inline.add(content)

    def _flush(self) -> None:
        """End the current block, if it has text."""
        block = self._inline.take()
        if not block.text:
            return
        level = next((_HEADINGS[tag] for tag in reversed(self._blocks) if tag in _HEADINGS), 0)
        if level:
            self.builder.add_heading(level, block)
        if level == 1:
            self.main_headings.append(block.text)
        is_item = self._blocks[-1] in _ITEMS
        if not level:
            self.builder.add_block(block, "\n" if is_item and self._after_item else "\n\n")
        self._after_item = is_item
