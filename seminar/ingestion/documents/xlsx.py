"""Excel workbooks (.xlsx): rows with the names of their columns, cited by sheet and cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from seminar.ingestion.documents import sheets
from seminar.ingestion.documents.cell_values import show
from seminar.ingestion.documents.office import reading
from seminar.ingestion.documents.sheets import Row, Sheet
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.packages import checked_package
from seminar.types import Document

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.read_only import ReadOnlyCell
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

ROWS = 1_048_576  # the most that a sheet may have
COLUMNS = 16_384


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The rows of all visible sheets; formulas give the values that were saved with them."""
    with reading("Excel workbook"), checked_package(path) as content:
        from openpyxl import load_workbook

        workbook = load_workbook(content, read_only=True, data_only=True, keep_links=False)
        try:
            title = str(workbook.properties.title or "").strip()
            yield from sheets.documents(_sheets(workbook, notify), source, title)
        finally:
            workbook.close()


def _sheets(workbook: Workbook, notify: Notify) -> Iterator[Sheet]:
    for sheet in workbook.worksheets:
        if sheet.sheet_state == "visible":
            sheet.reset_dimensions()  # what the file claims could be wrong, or huge
            yield Sheet(sheet.title, _rows(sheet))
        else:
            notify(f"the hidden sheet {sheet.title!a} was left out")


def _rows(sheet: ReadOnlyWorksheet) -> Iterator[Row]:
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if number > ROWS:
            return
        texts = ((column, _text(cell)) for column, cell in enumerate(cells[:COLUMNS]))
        yield Row(number, {column: text for column, text in texts if text})


def _text(cell: ReadOnlyCell) -> str:
    if cell.value is None or cell.data_type == "e":  # an error such as #REF!
        return ""
    return show(cell.value, cell.number_format)
