"""HTML: what a person reads of a page, with its headings, its links and a key for every block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import Draft
from seminar.ingestion.documents.inline import Inline
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.streams.decoding import Notify, clean, decode, read_content
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
_CONTENT = frozenset({"article", "main", "section"})
_DEPTH_LIMIT = 2_000
_CLOSE_LIMIT = 30  # elements left open that one closing tag may end
_BARRIERS = frozenset({"table", "caption", "button", "object", "template", "marquee", "applet"})
_NESTING_TAG = re.compile(
    rb"<(/?)(?!(?:p|li|dt|dd|tr|td|th|tbody|thead|tfoot|option|br|img|hr|input|meta|link|col|wbr"
    rb"|area|base|embed|source|track|param)\b)([a-z][^\s/>]*)",
    re.IGNORECASE,
)
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The one document of an HTML file."""
    content = read_content(path)
    check_depth(content)
    charset = _CHARSET.search(content[:4096])
    declared = charset.group(1).decode("ascii") if charset else None
    yield parse(decode(content, notify, declared=declared), source)


def parse(text: str, source: str) -> Document:
    """A document of HTML."""
    tree = LexborHTMLParser(text)
    main = tree.css_first("main, [role=main]")
    for root in (main, tree.body):
        if root is not None:
            page = _Page(source, {node.mem_id for node in tree.css(_HIDDEN)})
            page.read(root)
            if not page.draft.is_empty:
                return page.draft.document(source, _title(tree, page.main_headings, source))
    raise IngestionError("empty: the page shows no text")


def check_depth(content: bytes) -> None:
    """Refuse nesting that no page has: building its tree takes the square of the depth."""
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
    """End the open element that a closing tag names, with what is open in it, as browsers do.

    A tag ends nothing beyond a table, nor a block if it is of none.
    """
    for size, element in enumerate(reversed(elements[-_CLOSE_LIMIT:]), start=1):
        if element == tag:
            del elements[-size:]
            return
        if element in _BARRIERS or (element in _BLOCKS and tag not in _BLOCKS):
            return


def _title(tree: LexborHTMLParser, main_headings: list[str], source: str) -> str:
    """The only main heading, else what the browser's tab says, else the file's name."""
    if len(main_headings) == 1:
        return main_headings[0]
    node = tree.css_first("title")
    title = " ".join((node.text() or "").split()) if node is not None else ""
    return title or PurePosixPath(source).stem


class _Page:
    """A page's elements in reading order, walked without recursion, into a draft."""

    def __init__(self, source: str, hidden: set[int]) -> None:
        self.draft = Draft()
        self.main_headings: list[str] = []
        self._source = source
        self._hidden = hidden
        self._inline = Inline()
        self._blocks: list[str] = []  # the open block elements
        self._after_item = False

    def read(self, root: LexborNode) -> None:
        """Everything under the root that is shown."""
        self._blocks.append(root.tag or "")
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
        """Begin a node; whether it is an element whose children are to be read."""
        tag = node.tag or ""
        if tag == "-text":
            self._add(node.text_content or "")
            return False
        if tag == "br":
            self._inline.break_line()
            return False
        if tag in _DROPPED or (tag == "header" and not self._in_content()):
            return False
        if self._hidden and node.mem_id in self._hidden:
            return False
        if tag == "a":
            self._inline.open_link(resolve(node.attributes.get("href") or "", self._source))
        elif tag in _CELLS:
            self._inline.separate(" | ")
        elif tag in _BLOCKS:
            self._flush()
            self._blocks.append(tag)
        return True

    def _leave(self, tag: str) -> None:
        if tag == "a":
            self._inline.close_link()
        elif tag in _BLOCKS:
            self._flush()
            self._blocks.pop()

    def _in_content(self) -> bool:
        """Whether a header here heads an article, and not the whole site."""
        return any(tag in _CONTENT for tag in self._blocks)

    def _add(self, text: str) -> None:
        if "pre" in self._blocks:
            self._inline.add_verbatim(clean(text))
        else:
            self._inline.add(text)

    def _flush(self) -> None:
        """End the block of text that has gathered, if any has."""
        text, links = self._inline.take()
        if not text:
            return
        level = next((_HEADINGS[tag] for tag in reversed(self._blocks) if tag in _HEADINGS), 0)
        if level:
            self.draft.heading(level, text, links)
        if level == 1:
            self.main_headings.append(text)
        is_item = self._blocks[-1] in _ITEMS
        if not level:
            self.draft.block(text, links, "\n" if is_item and self._after_item else "\n\n")
        self._after_item = is_item
