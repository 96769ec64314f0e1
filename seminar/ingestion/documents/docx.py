"""Word documents (.docx): headings, lists, tables, notes and comments, with changes accepted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.docx_body import Body
from seminar.ingestion.documents.docx_notes import Note, read_notes
from seminar.ingestion.documents.docx_styles import Styles
from seminar.ingestion.documents.office import reading
from seminar.ingestion.streams.decoding import Notify
from seminar.ingestion.streams.packages import checked_package
from seminar.types import Document

if TYPE_CHECKING:
    from docx.document import Document as WordDocument


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a Word file; its title is that of the properties or of the title's style."""
    with reading("Word document"), checked_package(path) as content:
        import docx

        yield _compose(docx.Document(content), source)


def _compose(word: WordDocument, source: str) -> Document:
    builder = DocumentBuilder()
    targets = {
        key: relation.target_ref for key, relation in word.part.rels.items() if relation.is_external
    }
    notes: dict[tuple[str, str], Note] = read_notes(word)
    body = Body(builder, source, Styles.of(word), targets, notes)
    body.read(word.element.body)
    given = " ".join((word.core_properties.title or "").split())
    title = body.title or given or body.only_main_heading
    return builder.build(source, title or PurePosixPath(source).stem)
