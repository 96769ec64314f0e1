"""PowerPoint presentations (.pptx): slides with their titles, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.documents.links import resolve
from seminar.ingestion.documents.office import reading
from seminar.ingestion.documents.tables import Table
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.packages import checked_package
from seminar.types import Document

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.shapes.base import BaseShape
    from pptx.shapes.shapetree import _BaseShapes
    from pptx.slide import Slide
    from pptx.table import Table as SlideTable
    from pptx.text.text import TextFrame


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a presentation: a page for each slide, and its notes after it."""
    with reading("PowerPoint presentation"), checked_package(path) as content:
        import pptx

        yield _compose(pptx.Presentation(content), source)


def _compose(presentation: Presentation, source: str) -> Document:
    slides = _Slides(source)
    for number, slide in enumerate(presentation.slides, start=1):
        slides.add(slide, number)
    given = " ".join((presentation.core_properties.title or "").split())
    usable = "" if given == "PowerPoint Presentation" else given
    title = usable or slides.first_title or PurePosixPath(source).stem
    return slides.builder.build(source, title)


class _Slides:
    """Adds slides to a builder, the title of each as a heading."""

    def __init__(self, source: str) -> None:
        self.builder = DocumentBuilder()
        self.first_title = ""
        self._source = source
        self._inline = InlineBuilder()
        self._place = ""

    def add(self, slide: Slide, number: int) -> None:
        """Add a slide: its title, then its other shapes in their order, then its notes."""
        self._place = f"slide {number}"
        self.builder.begin_page(number)
        title = slide.shapes.title
        heading = " ".join(title.text_frame.text.split()) if title is not None else ""
        if heading:
            self.builder.add_heading(1, Block(heading), place=self._place)
            self.first_title = self.first_title or heading
        for shape in _flat(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                self._add_shape(shape)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self._place = f"slide {number}, notes"
            self._add_text(slide.notes_slide.notes_text_frame)

    def _add_shape(self, shape: BaseShape) -> None:
        if shape.has_text_frame and not _is_furniture(shape):
            self._add_text(shape.text_frame)
        elif getattr(shape, "has_table", False):
            self._add_table(shape.table)

    def _add_text(self, frame: TextFrame) -> None:
        """Add the paragraphs of a frame; they stand together, as the points of a list do."""
        separator = "\n\n"
        for paragraph in frame.paragraphs:
            runs = {run._r: run for run in paragraph.runs}
            for element in paragraph._p.content_children:
                run = runs.get(element)
                target = (run.hyperlink.address or "") if run else ""
                self._inline.open_link(resolve(target, self._source))
                self._inline.add(element.text or " ")  # a line break has no text
                self._inline.close_link()
            separator = self._end_block(separator)

    def _add_table(self, table: SlideTable) -> None:
        rows = Table(self._inline, marked=False)
        separator = "\n\n"
        for row in table.rows:
            rows.begin_row()
            for cell in row.cells:
                # A merged cell covers others, which are there without text.
                rows.begin_cell(heading=table.first_row and separator == "\n\n")
                self._inline.add(cell.text_frame.text)
            rows.end_row()
            separator = self._end_block(separator)

    def _end_block(self, separator: str) -> str:
        """End a block, and return what separates the next one from it."""
        block = self._inline.take()
        if not block.text:
            return separator
        self.builder.add_block(block, separator, place=self._place)
        return "\n"


def _flat(shapes: _BaseShapes) -> Iterator[BaseShape]:
    """The shapes of a slide, those of groups one by one."""
    pending = list(reversed(list(shapes)))
    while pending:
        shape = pending.pop()
        if hasattr(shape, "shapes"):
            pending += reversed(list(shape.shapes))
        else:
            yield shape


def _is_furniture(shape: BaseShape) -> bool:
    """Whether a shape repeats on all slides: the date, the footer, the number."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    repeated = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)
    return shape.is_placeholder and shape.placeholder_format.type in repeated
