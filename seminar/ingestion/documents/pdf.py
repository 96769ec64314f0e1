"""PDF: the lines that PDFium finds on each page, which `page_layout` joins to paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import byref, c_double
from pathlib import Path, PurePosixPath

import pypdfium2
from pypdfium2 import raw

from seminar.errors import IngestionError
from seminar.ingestion.documents.page_layout import Line, compose
from seminar.ingestion.streams.decoding import Notify, clean, read_content
from seminar.types import Document

_LINE = re.compile(r"[^\r\n]+")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffd\ud800-\udfff]")
# PDFium joins a word that was hyphenated at a line's end, and marks the place.
_HYPHENATED = re.compile("(\\w)\ufffe(\\w?)")
_NO_TITLE = re.compile(
    r"untitled.*|microsoft word.*|.*\.(docx?|tex|dvi|indd|qxd|pdf)", re.IGNORECASE
)


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a PDF file, with its pages."""
    pdf = _open(read_content(path))
    try:
        lines = [line for number in range(len(pdf)) for line in _page_lines(pdf, number, notify)]
        title = " ".join(pdf.get_metadata_value("Title").split())
    finally:
        pdf.close()
    if not lines:
        raise IngestionError(
            "its pages hold no text, only pictures; recognise the text first (OCR)"
        )
    usable = "" if _NO_TITLE.fullmatch(title) else title
    yield compose(lines, source, title=usable, name=PurePosixPath(source).stem)


def _open(content: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise IngestionError("encrypted: it opens only with a password") from None
        raise IngestionError("damaged, or not a PDF at all") from None


def _page_lines(pdf: pypdfium2.PdfDocument, number: int, notify: Notify) -> list[Line]:
    try:
        page = pdf[number]
        characters = page.get_textpage()
    except pypdfium2.PdfiumError:
        notify(f"page {number + 1} is damaged and was left out")
        return []
    text = characters.get_text_range()
    lines = []
    for match in _LINE.finditer(text):
        stripped = _tidy(match.group())
        if stripped:
            lines.append(Line(stripped, number + 1, *_place(characters, match)))
    characters.close()
    page.close()
    return lines


def _tidy(text: str) -> str:
    """A line without hyphens that only broke a word, and without control characters."""
    text = _HYPHENATED.sub(_join, text).replace("\ufffe", "-")
    return " ".join(clean(_CONTROLS.sub(" ", text)).split())


def _join(match: re.Match[str]) -> str:
    before, after = match.groups()
    # "Anglo-Saxon" and "1914-18" have a hyphen of their own; "extraor-dinary" has not.
    belongs = not after or after.isupper() or before.isdigit() or after.isdigit()
    return f"{before}-{after}" if belongs else before + after


def _place(
    characters: pypdfium2.PdfTextPage, match: re.Match[str]
) -> tuple[float, float, float, float, float]:
    """Left, right, first and last baseline, and font size of a line."""
    text = match.group()
    first = _index(characters, match.start() + len(text) - len(text.lstrip()))
    last = _index(characters, match.start() + len(text.rstrip()) - 1)
    left, top = _origin(characters, first)
    right, bottom = _origin(characters, last)
    return left, right, top, bottom, raw.FPDFText_GetFontSize(characters, first)


def _index(characters: pypdfium2.PdfTextPage, offset: int) -> int:
    """The index of a text character among all drawn characters, some of which have no text."""
    return int(raw.FPDFText_GetCharIndexFromTextIndex(characters, offset))


def _origin(characters: pypdfium2.PdfTextPage, index: int) -> tuple[float, float]:
    x, y = c_double(), c_double()
    raw.FPDFText_GetCharOrigin(characters, index, byref(x), byref(y))
    return x.value, y.value
