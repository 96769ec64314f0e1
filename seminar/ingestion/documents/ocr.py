"""Recognising the text of page images with Tesseract, a program of the system."""

from __future__ import annotations

import csv
import resource
import subprocess
from collections import defaultdict

import pypdfium2

from seminar.errors import IngestionError
from seminar.ingestion.documents.page_layout import Line

PAGE_SECONDS = 50  # for a page: less than the sandbox gives a document
PAGES_LIMIT = 2_000
_SCALE = 300 / 72  # dots per inch that Tesseract is trained on, per point
_PIXELS_LIMIT = 30_000_000
_CONFIDENCE = 20  # percent; what is less sure is mostly not text
_SIZE = 10.0  # Tesseract tells no font size, and so headings are not told from it
_Key = tuple[str, str, str]


def recognise(page: pypdfium2.PdfPage, number: int, languages: str) -> list[Line]:
    """The lines of text on the image of a page."""
    width, height = page.get_size()
    scale = min(_SCALE, (_PIXELS_LIMIT / max(width * height, 1)) ** 0.5)
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    rows, columns = pixels.shape[:2]
    header = f"P5 {columns} {rows} 255\n".encode()
    table = _run(header + pixels.tobytes(), languages)
    return parse_table(table, number, scale=scale, rows=rows)


def _run(image: bytes, languages: str) -> str:
    """Tesseract's table of the words on an image."""
    command = ["tesseract", "stdin", "stdout", "-l", languages, "tsv"]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except FileNotFoundError:
        raise IngestionError(
            "recognising text needs the program tesseract: apt-get install tesseract-ocr"
        ) from None
    with process:
        # The limit of the system ends it even where this process is ended before.
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (PAGE_SECONDS, PAGE_SECONDS))
        try:
            table, errors = process.communicate(image, timeout=PAGE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise IngestionError(f"recognising a page took longer than {PAGE_SECONDS} s") from None
    if process.returncode:
        raise IngestionError(_explain(errors.decode(errors="replace"), languages))
    return table.decode(errors="replace")


def _explain(errors: str, languages: str) -> str:
    if "traineddata" in errors:
        return (
            f"tesseract lacks a language of '{languages}': tesseract --list-langs lists those "
            "that it has, apt-get install tesseract-ocr-LANGUAGE adds one"
        )
    last = errors.strip().rpartition("\n")[2][:200]
    return f"tesseract failed: {last or 'it gave no reason'}"


def parse_table(table: str, number: int, *, scale: float, rows: int) -> list[Line]:
    """The lines of a table of words, with positions in points from the lower left corner."""
    words: defaultdict[_Key, list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "5" and float(row["conf"]) >= _CONFIDENCE and row["text"].strip():
            words[row["block_num"], row["par_num"], row["line_num"]].append(row)
    lines = []
    for found in words.values():
        left = min(int(row["left"]) for row in found)
        right = max(int(row["left"]) + int(row["width"]) for row in found)
        bottom = max(int(row["top"]) + int(row["height"]) for row in found)
        baseline = (rows - bottom) / scale
        text = " ".join(row["text"].strip() for row in found)
        lines.append(Line(text, number, left / scale, right / scale, baseline, baseline, _SIZE))
    return lines
