"""Reading docutils' tree of a document into blocks."""

from __future__ import annotations

from docutils import nodes

from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.tables import Table

_DROPPED = (
    nodes.system_message,
    nodes.comment,
    nodes.substitution_definition,
    nodes.target,
    nodes.raw,
    nodes.image,
    nodes.pending,
    nodes.topic,
)
_TEXT = (
    nodes.paragraph,
    nodes.term,
    nodes.line,
    nodes.attribution,
    nodes.caption,
    nodes.rubric,
    nodes.option_string,
    nodes.subtitle,
)
_VERBATIM = (nodes.literal_block, nodes.doctest_block, nodes.math_block)
_ITEMS = (nodes.list_item, nodes.field, nodes.row, nodes.definition_list_item, nodes.line)
_NOTES = (nodes.footnote, nodes.citation)


class RstPage:
    """Adds the nodes of a document to a builder, in reading order."""

    def __init__(self, source: str) -> None:
        self.builder = DocumentBuilder()
        self.first_heading = ""
        self._source = source
        self._inline = InlineBuilder()
        self._table = Table(self._inline, marked=True)
        self._line = 1
        self._level = 0
        self._item_begins = False
        self._after_item = False

    def read(self, node: nodes.Element) -> None:
        """Add what a node holds."""
        if isinstance(node, _DROPPED):
            return
        # Lines of a table in CSV are counted from its beginning; those are not believed.
        self._line = max(self._line, node.line or 0)
        self._item_begins = self._item_begins or isinstance(node, _ITEMS)
        if isinstance(node, nodes.title):
            self._add_title(node)
        elif isinstance(node, nodes.tgroup):
            self._table = Table(self._inline, marked=True)
            self._after_item = False
            self._read_children(node)
        elif isinstance(node, nodes.row):
            self._add_row(node)
        elif isinstance(node, nodes.field_name):
            self._add_inline(node)
            self._inline.add(": ")  # its first paragraph follows on the same line
        elif isinstance(node, _TEXT):
            self._add_inline(node)
            self._end_block()
        elif isinstance(node, _VERBATIM):
            self._inline.add_lines(node.astext(), self._line, verbatim=True)
            self._end_block()
        else:
            self._read_children(node)

    def _read_children(self, node: nodes.Element) -> None:
        self._level += isinstance(node, nodes.section)
        for child in node.children:
            if isinstance(child, nodes.label) and isinstance(node, _NOTES):
                self._inline.add(f"[{child.astext()}] ")
            elif isinstance(child, nodes.Element):
                self.read(child)
        if isinstance(node, nodes.field):
            self._end_block()
        self._level -= isinstance(node, nodes.section)

    def _add_title(self, node: nodes.Element) -> None:
        is_heading = isinstance(node.parent, nodes.section)
        if is_heading and node.line:
            self._line = node.line - 1  # docutils gives the line of the rule below it
        self._add_inline(node)
        if not is_heading:  # of a table or an admonition
            self._end_block()
            return
        block = self._inline.take()
        if block.text:
            self.first_heading = self.first_heading or block.text
            self.builder.add_heading(self._level, block)
        self._after_item = False

    def _add_row(self, row: nodes.Element) -> None:
        self._table.begin_row()
        for cell in row.findall(nodes.entry):
            span, rows = int(cell.get("morecols", 0)) + 1, int(cell.get("morerows", 0)) + 1
            heading = isinstance(row.parent, nodes.thead)
            self._table.begin_cell(span=span, rows=rows, heading=heading)
            for text in cell.findall(nodes.TextElement):
                if not isinstance(text.parent, nodes.TextElement):
                    self._line = max(self._line, text.line or 0)
                    self._add_inline(text)
                    self._inline.add(" ")
        self._table.end_row()
        self._end_block()

    def _end_block(self) -> None:
        block = self._inline.take()
        if block.text:
            tight = self._item_begins and self._after_item
            self.builder.add_block(block, "\n" if tight else "\n\n")
            self._after_item = self._item_begins
        self._item_begins = False

    def _add_inline(self, node: nodes.Element) -> None:
        """Add the words of a text node; its lines are known where no line end was resolved away."""
        exact = node.astext().count("\n") == node.rawsource.count("\n")
        self._inline.mark_line(self._line)
        self._add_words(node, exact=exact)

    def _add_words(self, node: nodes.Node, *, exact: bool) -> None:
        if isinstance(node, nodes.Text):
            text = str(node)
            if exact:
                self._inline.add_lines(text, self._line)
                self._line += text.count("\n")
            else:
                self._inline.add(text)
            return
        if isinstance(node, _DROPPED):
            return
        if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
            self._inline.add(f"[{node.astext()}]")
            return
        target = self._target(node)
        if target:
            self._inline.open_link(target)
        for child in node.children:
            self._add_words(child, exact=exact)
        if target:
            self._inline.close_link()

    def _target(self, node: nodes.Node) -> str:
        if not isinstance(node, nodes.reference):
            return ""
        address = node.get("refuri") or (f"#{node['refid']}" if node.get("refid") else "")
        return resolve(str(address), self._source)
