"""Jupyter notebooks: their Markdown, their code and the text of its outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.documents import markdown
from seminar.ingestion.documents.document_builder import DocumentBuilder, parse_source
from seminar.ingestion.documents.inline import InlineBuilder
from seminar.ingestion.documents.json_paths import leaves
from seminar.ingestion.documents.key_paths import Leaf
from seminar.ingestion.streams.decoding import Notify, clean, decode_source, read_content
from seminar.text import whole
from seminar.types import Document, LineMark

OUTPUT_LIMIT = 20_000  # characters of a cell's output
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a notebook."""
    yield parse_source(decode_source(read_content(path), notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of a notebook; its title is the first heading, else its name."""
    builder = DocumentBuilder()
    numbers: list[int] = []  # the line in the file of each line that was added
    title = ""
    for cell in _cells(leaves(text)):
        first = len(numbers) + 1
        content = cell.source.take(numbers)
        if cell.kind == "markdown":
            heading = markdown.add(builder, content, source, first_line=first)
            title = title or heading
        else:
            _add_verbatim(builder, content, first)
        first = len(numbers) + 1
        _add_verbatim(builder, cell.output.take(numbers), first)
    if builder.is_empty:
        raise IngestionError("empty: no cell holds text")
    document = builder.build(source, title or PurePosixPath(source).stem)
    marks = tuple(LineMark(start, numbers[line - 1]) for start, line in document.lines)
    return replace(document, lines=marks)


def _add_verbatim(builder: DocumentBuilder, text: str, first_line: int) -> None:
    inline = InlineBuilder()
    inline.add_lines(text, first_line, verbatim=True)
    block = inline.take()
    if block.text.strip():
        builder.add_block(block)


@dataclass(slots=True)
class _Text:
    """Text of several JSON strings, and the lines of the file that hold them."""

    parts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, leaf: Leaf) -> None:
        """Add a string, which may hold several lines or only a part of one."""
        text = _CONTROLS.sub("", clean(_COLOURS.sub("", whole(leaf.value))))
        for line in text.splitlines(keepends=True):
            if not self.parts or self.parts[-1].endswith("\n"):
                self.lines.append(leaf.line)
            self.parts.append(line)

    def end_line(self) -> None:
        """End the last line, so that what follows does not join it."""
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def take(self, numbers: list[int]) -> str:
        """The text, whose line numbers are added to those of the document."""
        numbers += self.lines
        return "".join(self.parts)


@dataclass(slots=True)
class _Cell:
    kind: str = ""
    source: _Text = field(default_factory=_Text)
    output: _Text = field(default_factory=_Text)


def _cells(values: Iterable[Leaf]) -> Iterator[_Cell]:
    """The cells of a notebook of version 4, or of 3, where worksheets hold them."""
    inner = (
        leaf._replace(path=leaf.path[2:]) if leaf.path[:1] == ("worksheets",) else leaf
        for leaf in values
    )
    cells = (leaf for leaf in inner if leaf.path[:1] == ("cells",) and len(leaf.path) > 2)
    for _, content in groupby(cells, key=lambda leaf: leaf.path[1]):
        cell = _Cell()
        size = 0
        before: tuple[str | int, ...] = ()
        for leaf in content:
            name, rest = leaf.path[2], leaf.path[3:]
            if name == "cell_type":
                cell.kind = leaf.value
            elif name in ("source", "input"):
                cell.source.add(leaf)
            elif name == "outputs" and _is_text(rest) and size < OUTPUT_LIMIT:
                if rest[:2] != before:
                    cell.output.end_line()
                before = rest[:2]
                size += len(leaf.value)
                cell.output.add(leaf._replace(value=leaf.value[:OUTPUT_LIMIT]))
                if rest[1] in ("traceback", "ename"):
                    cell.output.end_line()
        yield cell


def _is_text(path: tuple[str | int, ...]) -> bool:
    """Whether a value of an output is text to read: printed, shown as plain text, or an error."""
    if len(path) < 2:
        return False
    return path[1] in ("text", "ename", "evalue") or path[1:3] == ("data", "text/plain")
