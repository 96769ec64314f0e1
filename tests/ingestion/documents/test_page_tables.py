from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF

from seminar.ingestion.documents.pdf import read
from seminar.types import Document

FARES = [("Ticket", "Price"), ("Adults", "9 pounds"), ("Children", "4 pounds")]


def page() -> FPDF:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("times", size=11)
    return pdf


def document(pdf: FPDF, path: Path) -> Document:
    pdf.output(str(path))
    [found] = read(path, path.name, pytest.fail)
    return found


def columns(pdf: FPDF, rows: Sequence[Sequence[str]], lefts: Sequence[float] = (10, 60, 110)):
    """Rows of text at these distances from the left edge, in one font, below a line."""
    pdf.multi_cell(0, 5, "Three columns of words.", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(8)
    for row in rows:
        for left, text in zip(lefts, row, strict=False):
            pdf.text(left, pdf.get_y(), text)
        pdf.set_y(pdf.get_y() + 6)


def test_row_in_another_font_names_the_columns(tmp_path: Path):
    pdf = page()
    pdf.multi_cell(0, 5, "These are the fares.", new_x="LMARGIN", new_y="NEXT")
    with pdf.table() as table:
        for row in FARES:
            cells = table.row()
            for text in row:
                cells.cell(text)
    pdf.multi_cell(0, 5, "Dogs travel free.", new_x="LMARGIN", new_y="NEXT")
    found = document(pdf, tmp_path / "a.pdf")
    assert found.text.split("\n\n") == [
        "These are the fares.",
        "Ticket | Price\nTicket: Adults; Price: 9 pounds\nTicket: Children; Price: 4 pounds",
        "Dogs travel free.",
    ]
    assert [(page.start, page.end) for page in found.pages] == [(0, len(found.text))]


def test_row_above_numbers_names_the_columns_of_three(tmp_path: Path):
    pdf = page()
    columns(pdf, [("Line", "To", "Fare"), ("7", "Harbour", "2.10"), ("N3", "Airport", "4.50")])
    assert document(pdf, tmp_path / "a.pdf").text.endswith(
        "\n\nLine | To | Fare\nLine: 7; To: Harbour; Fare: 2.10\nLine: N3; To: Airport; Fare: 4.50"
    )


def test_first_row_like_the_others_names_nothing(tmp_path: Path):
    pdf = page()
    columns(pdf, [("Owner", "Ada Kowal"), ("Founded", "1987"), ("Length", "30 m")])
    found = document(pdf, tmp_path / "a.pdf")
    assert found.text.endswith("\n\nOwner | Ada Kowal\nFounded | 1987\nLength | 30 m")


def test_empty_cell_keeps_the_columns_of_its_row(tmp_path: Path):
    pdf = page()
    rows = [
        ("Line", "To", "Fare"),
        ("7", "", "2.10"),
        ("N3", "Airport", "4.50"),
        ("9", "Pier", "1"),
    ]
    columns(pdf, rows)
    assert "Line: 7; Fare: 2.10\n" in document(pdf, tmp_path / "a.pdf").text


def test_pages_of_a_table_are_those_of_its_rows(tmp_path: Path):
    pdf = page()
    columns(pdf, [("Line", "To", "Fare"), ("7", "Harbour", "2.10"), ("N3", "Airport", "4.50")])
    pdf.add_page()
    columns(pdf, [("12", "Mill", "3.10"), ("13", "Park", "3.50"), ("14", "Zoo", "4.50")])
    found = document(pdf, tmp_path / "a.pdf")
    pages = [found.text[page.start : page.end].split("\n\n")[1] for page in found.pages]
    assert pages[0].endswith("Line: N3; To: Airport; Fare: 4.50")
    assert pages[1].startswith("12 | Mill | 3.10")


def test_justified_text_is_no_table(tmp_path: Path):
    words = "The boat leaves the pier below the old light and crosses the sound in forty minutes. "
    pdf = page()
    for _ in range(20):
        pdf.multi_cell(60, 5, words, align="J", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(4)
    paragraphs = document(pdf, tmp_path / "a.pdf").text.split("\n\n")
    assert paragraphs == [words.strip()] * 20


@pytest.mark.parametrize(
    "rows",
    [
        [("-", "by boat"), ("-", "by train"), ("-", "on foot")],
        [("1. Fares . . . . . . . . .", "3"), ("2. Boats . . . . . . . .", "4"), ("3. C", "5")],
    ],
)
def test_lists_and_contents_are_no_tables(tmp_path: Path, rows: list[tuple[str, str]]):
    pdf = page()
    columns(pdf, rows)
    assert " | " not in document(pdf, tmp_path / "a.pdf").text
