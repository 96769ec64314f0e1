from pathlib import Path

import pptx
import pytest
from pptx.util import Inches

from seminar.errors import IngestionError
from seminar.ingestion.documents.pptx import read
from seminar.ingestion.passages import split
from seminar.types import Document, Span

AREA = (Inches(1), Inches(3), Inches(6), Inches(1))


def talk(path: Path) -> Path:
    presentation = pptx.Presentation()
    presentation.core_properties.title = ""
    first = presentation.slides.add_slide(presentation.slide_layouts[1])
    first.shapes.title.text = "The harbour"
    first.placeholders[1].text = "Two\vboats\nOne pier"
    first.notes_slide.notes_text_frame.text = "Say that the third boat is sold."
    second = presentation.slides.add_slide(presentation.slide_layouts[5])
    second.shapes.title.text = "Fares"
    table = second.shapes.add_table(3, 2, *AREA).table
    for row, cells in enumerate([("Ticket", "Price"), ("Adult", "£12"), ("Child", "£4")]):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(*AREA).text_frame.text = "Dogs travel free."
    linked = second.shapes.add_textbox(*AREA).text_frame.paragraphs[0].add_run()
    linked.text, linked.hyperlink.address = "Book here", "https://example.org/book"
    presentation.save(str(path))
    return path


def document(path: Path) -> Document:
    [found] = read(path, path.name, pytest.fail)
    return found


def test_slides_are_pages_with_titles_tables_and_notes(tmp_path: Path):
    found = document(talk(tmp_path / "talk.pptx"))
    assert found.title == "The harbour"
    assert found.text.split("\n\n") == [
        "The harbour",
        "Two boats\nOne pier",
        "Say that the third boat is sold.",
        "Fares",
        "Ticket | Price\nTicket: Adult; Price: £12\nTicket: Child; Price: £4",
        "Dogs travel free.",
        "Book here",
    ]
    assert [section.title for section in found.sections] == ["", "Fares"]
    pages = [(page.number, found.text[page.start :][:5]) for page in found.pages]
    assert pages == [(1, "The h"), (2, "Fares")]
    assert "".join(found.text[page.start : page.end] for page in found.pages) == found.text
    [link] = found.links
    assert found.text[link.start : link.end] == "Book here"


def test_span_names_the_slide_or_its_notes(tmp_path: Path):
    [passage, fares] = split(document(talk(tmp_path / "talk.pptx")))
    start = passage.text.index("third")
    spoken = Span(passage, start, start + 5)
    assert (spoken.page, spoken.place) == (1, "slide 1, notes")
    start = fares.text.index("£4")
    assert (Span(fares, start, start + 2).page, Span(fares, start, start + 2).place) == (
        2,
        "slide 2",
    )


def test_presentation_without_text_is_refused(tmp_path: Path):
    presentation = pptx.Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    presentation.save(str(tmp_path / "a.pptx"))
    with pytest.raises(IngestionError, match="empty"):
        document(tmp_path / "a.pptx")
