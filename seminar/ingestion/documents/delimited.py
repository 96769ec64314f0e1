"""CSV and TSV: a row of each record, with the line of the file on which it begins."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.documents import sheets
from seminar.ingestion.documents.sheets import Row, Sheet
from seminar.ingestion.streams.decoding import LINE_LIMIT, Notify, SourceText, read_text
from seminar.types import Document, LineMark

_SAMPLE = 50  # lines that show which character separates the values
_SEPARATORS = ",;\t|"


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The rows of a CSV or TSV file, in documents of a bounded size."""
    yield from parse(read_text(path, notify), source)


def parse(text: SourceText, source: str) -> Iterator[Document]:
    """The rows of a text with separated values; the file's name is the title."""
    rows = _rows(text, separator_of(text.content, source))
    return sheets.documents([Sheet("", rows)], source)


def separator_of(content: str, source: str) -> str:
    """The separator that most of the first lines hold equally often; a tab in a .tsv file."""
    if source.lower().endswith((".tsv", ".tab")):
        return "\t"
    lines = [line for line in content[: 1 << 16].split("\n")[:_SAMPLE] if line.strip()]
    agreements = {}
    for separator in _SEPARATORS:
        counts = Counter(line.count(separator) for line in lines)
        del counts[0]
        agreements[separator] = max(counts.values(), default=0)
    return max(_SEPARATORS, key=lambda separator: agreements[separator])


def _rows(text: SourceText, separator: str) -> Iterator[Row]:
    csv.field_size_limit(LINE_LIMIT)
    records = csv.reader(io.StringIO(text.content, newline=""), delimiter=separator)
    number, first = 0, 1
    try:
        for record in records:
            number += 1
            [(_, line)] = text.renumber([LineMark(0, first)])
            first = records.line_num + 1
            texts = (" ".join(cell.split()) for cell in record)
            filled = {column: text for column, text in enumerate(texts) if text}
            yield Row(number, filled, line=line)
    except csv.Error as error:
        reason = f"line {records.line_num} is not of separated values: {error}"
        raise IngestionError(reason) from None
