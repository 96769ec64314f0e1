"""One small file of each Office format, with the same table of fares in it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import docx
import openpyxl
import pptx
from pptx.util import Inches

from tests.ingestion.documents.packages_made import open_document, package

ROWS = (("Ticket", "Price"), ("Adult", "12 pounds"), ("Child", "4 pounds"))


def make_docx(path: Path) -> None:
    word = docx.Document()
    word.add_heading("Fares of the ferry", 1)
    table = word.add_table(rows=0, cols=2)
    for row in ROWS:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    word.save(str(path))


def make_pptx(path: Path) -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Fares of the ferry"
    area = (Inches(1), Inches(3), Inches(6), Inches(1))
    table = slide.shapes.add_table(len(ROWS), 2, *area).table
    for number, row in enumerate(ROWS):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    presentation.save(str(path))


def make_xlsx(path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active.title = "Fares of the ferry"
    for row in ROWS:
        workbook.active.append(row)
    workbook.save(path)


def _open_table() -> str:
    rows = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in row)
        + "</table:table-row>"
        for row in ROWS
    )
    return f'<table:table table:name="Fares of the ferry">{rows}</table:table>'


def make_ods(path: Path) -> None:
    open_document(path, f"<office:spreadsheet>{_open_table()}</office:spreadsheet>")


def make_odt(path: Path) -> None:
    heading = '<text:h text:outline-level="1">Fares of the ferry</text:h>'
    open_document(path, f"<office:text>{heading}{_open_table()}</office:text>")


def make_odp(path: Path) -> None:
    title = "<draw:text-box><text:p>Fares of the ferry</text:p></draw:text-box>"
    open_document(
        path,
        f'<office:presentation><draw:page><draw:frame presentation:class="title">{title}'
        f"</draw:frame><draw:frame>{_open_table()}</draw:frame></draw:page></office:presentation>",
    )


def make_epub(path: Path) -> None:
    cells = "".join(
        "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in row) + "</tr>"
        for tag, row in zip(("th", "td", "td"), ROWS, strict=True)
    )
    package(
        path,
        {
            "META-INF/container.xml": '<a><rootfile full-path="b.opf"/></a>',
            "b.opf": '<a><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
            '<itemref idref="c"/></a>',
            "c.xhtml": f"<html><h1>Fares of the ferry</h1><table>{cells}</table></html>",
        },
    )


def make_rtf(path: Path) -> None:
    rows = "".join(r"\trowd " + "".join(rf"{text}\cell " for text in row) + r"\row" for row in ROWS)
    path.write_text(rf"{{\rtf1\outlinelevel0 Fares of the ferry\par\pard{rows}}}")


def make_csv(path: Path) -> None:
    path.write_text("".join(",".join(row) + "\n" for row in ROWS))


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "docx": make_docx,
    "pptx": make_pptx,
    "xlsx": make_xlsx,
    "ods": make_ods,
    "odt": make_odt,
    "odp": make_odp,
    "epub": make_epub,
    "rtf": make_rtf,
    "csv": make_csv,
}
