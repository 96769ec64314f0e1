from pathlib import Path

import pytest
from fpdf import FPDF

from seminar.errors import IngestionError
from seminar.ingestion.documents.pdf import read
from seminar.ingestion.passages import split
from seminar.types import Document


class Report(FPDF):
    """Pages with a running head and a page number."""

    def header(self) -> None:
        self.set_font("helvetica", size=8)
        self.cell(0, 8, "Ferry Company Report", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("helvetica", size=8)
        self.cell(0, 8, f"Page {self.page_no()} of 3")

    def heading(self, text: str) -> None:
        self.set_font("helvetica", size=18)
        self.multi_cell(0, 12, text, new_x="LMARGIN", new_y="NEXT")

    def paragraph(self, text: str) -> None:
        self.set_font("times", size=11)
        self.multi_cell(0, 5, text, new_x="LMARGIN", new_y="NEXT", align="L")
        self.ln(5)


def report(path: Path) -> Path:
    pdf = Report()
    pdf.add_page()
    pdf.heading("The Ferry")
    pdf.paragraph(
        "It leaves the harbour at nine in the morning. " * 5 + "An extraor-\ndinary boat."
    )
    pdf.paragraph("It has two masts.")
    pdf.add_page()
    pdf.heading("Costs")
    pdf.paragraph("Four pounds, and this sentence goes on to")
    pdf.add_page()
    pdf.paragraph("the next page. Children go free.")
    pdf.heading("Refunds")
    pdf.paragraph("None at all.")
    pdf.output(str(path))
    return path


def document(path: Path) -> Document:
    [found] = read(path, path.name, print)
    return found


def test_pdf_gives_paragraphs_sections_and_pages(tmp_path: Path):
    found = document(report(tmp_path / "report.pdf"))
    assert found.title == "The Ferry"
    assert found.text.split("\n\n") == [
        "The Ferry",
        "It leaves the harbour at nine in the morning. " * 5 + "An extraordinary boat.",
        "It has two masts.",
        "Costs",
        "Four pounds, and this sentence goes on to the next page. Children go free.",
        "Refunds",
        "None at all.",
    ]
    assert [section.title for section in found.sections] == ["", "Costs", "Refunds"]
    starts = [(page.number, found.text[page.start :][:8]) for page in found.pages]
    assert starts == [(1, "The Ferr"), (2, "Costs\n\nF"), (3, "the next")]


def test_passages_of_a_pdf_have_its_pages(tmp_path: Path):
    passages = split(document(report(tmp_path / "report.pdf")))
    assert [[page.number for page in passage.pages] for passage in passages] == [[1], [2, 3], [3]]


def test_title_is_that_of_the_metadata_where_it_is_usable(tmp_path: Path):
    for given, expected in [("Fares 2024", "Fares 2024"), ("Microsoft Word - a.doc", "fares")]:
        pdf = FPDF()
        pdf.set_title(given)
        pdf.add_page()
        pdf.set_font("times", size=11)
        pdf.cell(0, 5, "Four pounds.")
        pdf.output(str(tmp_path / "fares.pdf"))
        assert document(tmp_path / "fares.pdf").title == expected


def test_encrypted_pdf_is_refused(tmp_path: Path):
    pdf = FPDF()
    pdf.set_encryption(owner_password="a", user_password="b")
    pdf.add_page()
    pdf.output(str(tmp_path / "a.pdf"))
    with pytest.raises(IngestionError, match="encrypted"):
        document(tmp_path / "a.pdf")


def test_pdf_without_text_is_refused(tmp_path: Path):
    pdf = FPDF()
    pdf.add_page()
    pdf.rect(10, 10, 50, 50)
    pdf.output(str(tmp_path / "a.pdf"))
    with pytest.raises(IngestionError, match="no text, only pictures"):
        document(tmp_path / "a.pdf")


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"not a pdf", b"%PDF-1.4\n" + b"\0" * 5_000])
def test_file_that_is_no_pdf_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(IngestionError, match="damaged, or not a PDF"):
        document(tmp_path / "a.pdf")


def test_truncated_pdf_is_refused_or_read_in_part(tmp_path: Path):
    whole = report(tmp_path / "a.pdf").read_bytes()
    (tmp_path / "a.pdf").write_bytes(whole[: len(whole) // 3])
    with pytest.raises(IngestionError, match=r"damaged|no text"):
        document(tmp_path / "a.pdf")
