"""Rich text (.rtf): paragraphs, headings by their outline level, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block
from seminar.ingestion.documents.office import reading
from seminar.ingestion.documents.tables import Columns
from seminar.ingestion.streams.decoding import Notify, clean, read_content
from seminar.types import Document

_BEGINNING = b"{\\rtf"
_PICTURE = re.compile(r"[0-9a-fA-F\s]{1000,}")  # as hexadecimal digits
_TITLE = re.compile(r"{\\title\s([^{}\\]{1,500})}")
_OUTLINE = re.compile(r"\\outlinelevel([0-8])(?!\d) ?")
_MARK = 0xE000  # a private character stands for the outline level of its paragraph
_MARKS = re.compile("[\ue000-\ue008]")
_BULLET = re.compile(r"\s*[•◦▪‣·-]\s+")


def recognises(head: bytes) -> bool:
    """Whether a file begins as rich text."""
    return head.lstrip().startswith(_BEGINNING)


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a rich text file."""
    content = read_content(path)
    if not recognises(content):
        raise IngestionError("damaged, or no rich text: it does not begin with {\\rtf")
    with reading("rich text"):
        yield parse(content.decode("cp1252", errors="replace"), source)


def parse(markup: str, source: str) -> Document:
    """A document of rich text; its title is that of the properties or its only main heading."""
    from striprtf.striprtf import rtf_to_text

    titled = _TITLE.search(markup)
    marked = _OUTLINE.sub(lambda found: f"\\u{_MARK + int(found.group(1))}?", markup)
    text = _paired(rtf_to_text(_PICTURE.sub("", marked), errors="replace"))
    builder = DocumentBuilder()
    main_headings = _add(builder, clean(text))
    title = " ".join(titled.group(1).split()) if titled else ""
    if not title and len(main_headings) == 1:
        title = main_headings[0]
    return builder.build(source, title or PurePosixPath(source).stem)


def _paired(text: str) -> str:
    """The text with halves of surrogate pairs joined, as rich text writes emoji."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _add(builder: DocumentBuilder, text: str) -> list[str]:
    """Add the lines of a text, each a paragraph or a row, and return its main headings."""
    main_headings: list[str] = []
    columns: Columns | None = None
    tables = rows = 0
    after_item = False
    for line in text.split("\n"):
        marks = _MARKS.findall(line)
        line = _MARKS.sub("", line).strip()
        is_row = line.endswith("|")
        if is_row:
            tight = columns is not None
            if columns is None:
                columns, tables, rows = Columns(), tables + 1, 0
            rows += 1
            place = f"table {tables}, row {rows}"
            _add_row(builder, columns, line, "\n" if tight else "\n\n", place)
        elif line:
            columns = None
            block = Block(" ".join(line.split()))
            is_item = _BULLET.match(line) is not None
            if marks:
                level = ord(marks[-1]) - _MARK + 1
                builder.add_heading(level, block)
                main_headings += [block.text] if level == 1 else []
            else:
                builder.add_block(block, "\n" if is_item and after_item else "\n\n")
            after_item = is_item
    return main_headings


def _add_row(
    builder: DocumentBuilder, columns: Columns, line: str, separator: str, place: str
) -> None:
    cells = (" ".join(cell.split()) for cell in line.split("|")[:-1])
    block = columns.describe({column: text for column, text in enumerate(cells) if text})
    if block is not None:
        builder.add_block(block, separator, place=place)
