"""Scanned pages are made by drawing pages of text and keeping only their pictures."""

import shutil
from pathlib import Path

import pypdfium2
import pytest
from fpdf import FPDF

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.documents import ocr, pdf
from seminar.ingestion.loader import read
from seminar.ingestion.read_options import ReadOptions
from seminar.types import Document

needs_tesseract = pytest.mark.skipif(not shutil.which("tesseract"), reason="no tesseract")
PAGES = (
    "The Tide Choir was founded in 1987 by Marta Lindqvist.",
    "Tickets cost four pounds for children.",
)


def scan(path: Path, *texts: str, last: str = "") -> Path:
    """A PDF of pictures of the texts, and of one page with text."""
    pages, scanned = FPDF(), FPDF()
    for text in texts:
        pages.add_page()
        pages.set_font("Times", size=14)
        pages.multi_cell(0, 8, text)
    for page in pypdfium2.PdfDocument(bytes(pages.output())):
        scanned.add_page()
        scanned.image(page.render(scale=2.5).to_pil(), 0, 0, 210, 297)
    if last:
        scanned.add_page()
        scanned.set_font("Times", size=14)
        scanned.multi_cell(0, 8, last)
    scanned.output(str(path))
    return path


def recognised(path: Path, languages: str) -> list[Document]:
    file = SourceFile(path, path.name)
    items = read(file, print, options=ReadOptions(ocr=languages))
    return [item for item in items if isinstance(item, Document)]


@needs_tesseract
def test_scanned_pages_are_recognised_with_their_numbers(tmp_path: Path):
    [document] = recognised(scan(tmp_path / "a.pdf", *PAGES), "eng")
    shown = [document.text[page.start : page.end].strip() for page in document.pages]
    assert shown == list(PAGES)


@needs_tesseract
def test_pages_with_text_are_not_recognised_again(tmp_path: Path):
    [document] = recognised(scan(tmp_path / "a.pdf", PAGES[0], last="Drawn as text."), "eng")
    assert document.text == f"{PAGES[0]}\n\nDrawn as text."


@needs_tesseract
def test_a_language_that_tesseract_lacks_is_named(tmp_path: Path):
    with pytest.raises(IngestionError, match=r"a\.pdf: tesseract lacks a language of 'zzz'"):
        recognised(scan(tmp_path / "a.pdf", PAGES[0]), "zzz")


def test_without_tesseract_the_way_to_get_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    path = scan(tmp_path / "a.pdf", PAGES[0])
    with pytest.raises(IngestionError, match="apt-get install tesseract-ocr"):
        list(pdf.read(path, "a.pdf", print, ReadOptions(ocr="eng")))


def test_pages_of_pictures_are_named_where_no_language_is(tmp_path: Path):
    path = scan(tmp_path / "a.pdf", *PAGES, last="Drawn as text.")
    notes: list[Problem] = []
    [document] = read(SourceFile(path, "a.pdf"), notes.append)
    assert document.text == "Drawn as text."
    [note] = notes
    assert str(note) == (
        "a.pdf: pages without text, only pictures: 1, 2; --ocr eng reads them as English"
    )


def test_a_scan_without_any_text_offers_recognition(tmp_path: Path):
    path = scan(tmp_path / "a.pdf", *PAGES)
    with pytest.raises(IngestionError, match="no text, only pictures; --ocr eng"):
        list(read(SourceFile(path, "a.pdf"), print))


def test_words_of_low_confidence_are_left_out():
    [line] = ocr.parse_table(
        "level\tblock_num\tpar_num\tline_num\tleft\ttop\twidth\theight\tconf\ttext\n"
        "4\t1\t1\t1\t0\t0\t90\t20\t-1\t\n"
        "5\t1\t1\t1\t300\t580\t300\t20\t96.5\tFerry\n"
        "5\t1\t1\t1\t700\t580\t100\t20\t3.1\t|~\n",
        number=4,
        scale=2.0,
        rows=1_000,
    )
    assert (line.text, line.page, line.left, line.right, line.bottom) == ("Ferry", 4, 150, 300, 200)
