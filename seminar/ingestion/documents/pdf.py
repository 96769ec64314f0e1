"""PDF: the lines that PDFium finds on each page, which `page_layout` joins to paragraphs.

Pages that are only pictures are recognised where the user names their languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ctypes import byref, c_double, c_int, create_string_buffer
from pathlib import Path, PurePosixPath

import pypdfium2
from pypdfium2 import raw

from seminar.errors import IngestionError
from seminar.ingestion.documents import ocr
from seminar.ingestion.documents.page_layout import Line, compose
from seminar.ingestion.documents.page_tables import LONGEST_ROW, Word
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.streams.decoding import Notify, clean, read_content
from seminar.types import Document

_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"\S+")
_FONT_NAME = 128  # bytes of a name
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffd\ud800-\udfff]")
# PDFium joins a word that was hyphenated at a line's end, and marks the place.
_HYPHENATED = re.compile("(\\w)\ufffe(\\w?)")
_NO_TITLE = re.compile(
    r"untitled.*|microsoft word.*|.*\.(docx?|tex|dvi|indd|qxd|pdf)", re.IGNORECASE
)


def read(
    path: Path,
    source: str,
    notify: Notify,
    options: ReadOptions = DEFAULT_READING,
    step_done: Callable[[], None] = lambda: None,
) -> Iterator[Document]:
    """The document of a PDF file, with its pages.

    Pages that are only pictures are recognised if there are languages for it, and else left out;
    `step_done` is called after each page that was recognised, which takes seconds.
    """
    if options.ocr:
        yield _recognised(path, source, notify, options.ocr, step_done)
    else:
        yield _shown(path, source, notify)


def _shown(path: Path, source: str, notify: Notify) -> Document:
    pictures: list[int] = []

    def leave_out(page: pypdfium2.PdfPage, number: int) -> list[Line]:
        pictures.append(number)
        return []

    document = _document(path, source, notify, leave_out)
    if document is None:
        raise IngestionError(
            "its pages hold no text, only pictures; --ocr eng recognises English text on them"
        )
    if pictures:
        shown = ", ".join(map(str, pictures[:10])) + (" ..." if len(pictures) > 10 else "")
        notify(f"pages without text, only pictures: {shown}; --ocr eng reads them as English")
    return document


def _recognised(
    path: Path, source: str, notify: Notify, languages: str, step_done: Callable[[], None]
) -> Document:
    recognised = 0

    def recognise(page: pypdfium2.PdfPage, number: int) -> list[Line]:
        nonlocal recognised
        recognised += 1
        if recognised > ocr.PAGES_LIMIT:
            raise IngestionError(f"more than {ocr.PAGES_LIMIT:,} pages of pictures")
        lines = ocr.recognise(page, number, languages)
        step_done()
        return lines

    document = _document(path, source, notify, recognise)
    if document is None:
        raise IngestionError(f"its pages are pictures, in which no text was found ({languages})")
    return document


def _document(
    path: Path,
    source: str,
    notify: Notify,
    read_picture: Callable[[pypdfium2.PdfPage, int], list[Line]],
) -> Document | None:
    """The document of a PDF file; None where no page has text."""
    pdf = _open(read_content(path))
    lines: list[Line] = []
    try:
        for number in range(1, len(pdf) + 1):
            lines += _page_lines(pdf, number, notify, read_picture)
        title = " ".join(pdf.get_metadata_value("Title").split())
    finally:
        pdf.close()
    usable = "" if _NO_TITLE.fullmatch(title) else title
    name = PurePosixPath(source).stem
    return compose(lines, source, title=usable, name=name) if lines else None


def _open(content: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise IngestionError("encrypted: it opens only with a password") from None
        raise IngestionError("damaged, or not a PDF at all") from None


def _page_lines(
    pdf: pypdfium2.PdfDocument,
    number: int,
    notify: Notify,
    read_picture: Callable[[pypdfium2.PdfPage, int], list[Line]],
) -> list[Line]:
    try:
        page = pdf[number - 1]
        characters = page.get_textpage()
    except pypdfium2.PdfiumError:
        notify(f"page {number} is damaged and was left out")
        return []
    text = characters.get_text_range()
    lines = []
    for match in _LINE.finditer(text):
        stripped = _tidy(match.group())
        if stripped:
            words = _words(characters, match, stripped) if len(stripped) <= LONGEST_ROW else ()
            font = _font(characters, _index(characters, match.start()))
            lines.append(Line(stripped, number, *_place(characters, match), font, words))
    characters.close()
    if not lines and _shows_picture(page):
        lines = read_picture(page, number)
    page.close()
    return lines


def _shows_picture(page: pypdfium2.PdfPage) -> bool:
    """Whether a page shows an image, or letters drawn as shapes."""
    shown = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_PATH)
    return next(page.get_objects(filter=shown, max_depth=1), None) is not None


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


def _words(characters: pypdfium2.PdfTextPage, match: re.Match[str], tidy: str) -> tuple[Word, ...]:
    """The words of a line, with the left and right edge of each; none where they are unclear."""
    texts = tidy.split()
    words = list(_WORD.finditer(match.group()))
    first, last = match.start() + words[0].start(), match.start() + words[-1].end() - 1
    index = _index(characters, first)
    if len(texts) != len(words) or _index(characters, last) - index != last - first:
        return ()
    shift = index - words[0].start()
    left, right, other = c_double(), c_double(), c_double()
    found = []
    for text, word in zip(texts, words, strict=True):
        start, end = word.start() + shift, word.end() - 1 + shift
        raw.FPDFText_GetCharBox(characters, start, left, other, other, other)
        raw.FPDFText_GetCharBox(characters, end, other, right, other, other)
        found.append(Word(text, left.value, right.value))
    return tuple(found)


def _font(characters: pypdfium2.PdfTextPage, index: int) -> str:
    """The name of a character's font."""
    name = create_string_buffer(_FONT_NAME)
    raw.FPDFText_GetFontInfo(characters, index, name, _FONT_NAME, byref(c_int()))
    return name.value.decode(errors="replace")


def _index(characters: pypdfium2.PdfTextPage, offset: int) -> int:
    """The index of a text character among all drawn characters, some of which have no text."""
    return int(raw.FPDFText_GetCharIndexFromTextIndex(characters, offset))


def _origin(characters: pypdfium2.PdfTextPage, index: int) -> tuple[float, float]:
    x, y = c_double(), c_double()
    raw.FPDFText_GetCharOrigin(characters, index, byref(x), byref(y))
    return x.value, y.value
