"""The child process that draws a page of a PDF: limits on memory and time, PNG on stdout.

The request is a JSON object on stdin, with the fields of `PageRequest`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2 import PdfiumError

if TYPE_CHECKING:
    from PIL.Image import Image

MEMORY = 1 << 30
SECONDS = 20
WIDTH, PIXELS = 1_400, 6_000_000
MARK = (255, 214, 64)
NO_PAGE, DAMAGED = 3, 4  # exit codes

Box = tuple[float, float, float, float]  # left, bottom, right, top, in points


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page of a file, and the words to mark, which stand about `place` of the way down."""

    file: str
    number: int
    words: str = ""
    place: float = 0.0


def draw(request: PageRequest) -> bytes:
    """The page as PNG; words that the page doesn't have are not marked."""
    pdf = pypdfium2.PdfDocument(request.file)
    if not 1 <= request.number <= len(pdf):
        raise IndexError(len(pdf))
    page = pdf[request.number - 1]
    width, height = page.get_size()
    scale = min(WIDTH / width, (PIXELS / (width * height)) ** 0.5)
    picture = page.render(scale=scale).to_pil().convert("RGB")
    boxes = _boxes(page.get_textpage(), request.words, request.place)
    picture = _marked(picture, [_on_picture(page, box, scale) for box in boxes])
    content = BytesIO()
    picture.save(content, "PNG", optimize=False)
    return content.getvalue()


def _boxes(text: pypdfium2.PdfTextPage, words: str, place: float) -> list[Box]:
    """The boxes of the words, one for each line: the occurrence nearest to their place.

    Only letters and digits are compared: the extracted text joins lines and hyphenated words.
    """
    wanted = "".join(_letters(words))
    drawn = [(number, one) for number, one in enumerate(text.get_text_range()) if one.isalnum()]
    page = "".join(one.lower()[0] for _, one in drawn)
    found = list(_occurrences(page, wanted)) if wanted else []
    if not found:
        return []
    at = min(found, key=lambda start: abs(start / max(1, len(page)) - place))
    boxes = [_box(text, number) for number, _ in drawn[at : at + len(wanted)]]
    lines = groupby(boxes, key=lambda box: round((box[1] + box[3]) / 2 / 4))
    return [_around(list(line)) for _, line in lines]


def _letters(words: str) -> Iterator[str]:
    return (one.lower()[0] for one in words if one.isalnum())


def _occurrences(page: str, wanted: str) -> Iterator[int]:
    at = page.find(wanted)
    while at >= 0:
        yield at
        at = page.find(wanted, at + 1)


def _box(text: pypdfium2.PdfTextPage, number: int) -> Box:
    index = pypdfium2.raw.FPDFText_GetCharIndexFromTextIndex(text, number)
    left, bottom, right, top = text.get_charbox(index, loose=True)
    return left, bottom, right, top


def _around(boxes: list[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _on_picture(page: pypdfium2.PdfPage, box: Box, scale: float) -> tuple[int, int, int, int]:
    """A box in pixels; the corner of a page need not be at 0."""
    corner = page.get_bbox()
    left, right = (box[0] - corner[0]) * scale, (box[2] - corner[0]) * scale
    top, bottom = (corner[3] - box[3]) * scale, (corner[3] - box[1]) * scale
    return round(left), round(top), round(right), round(bottom)


def _marked(picture: Image, boxes: list[tuple[int, int, int, int]]) -> Image:
    """The picture with boxes coloured as a marker does: white turns yellow, black stays black."""
    from PIL import Image, ImageChops, ImageDraw

    colours = Image.new("RGB", picture.size, "white")
    pen = ImageDraw.Draw(colours)
    for left, top, right, bottom in boxes:
        pen.rectangle((left - 1, top - 1, right + 1, bottom + 1), fill=MARK)
    return ImageChops.multiply(picture, colours)


def main() -> None:
    """Set the limits, draw, and write; the alarm's default action ends the process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS)
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the picture
    request = PageRequest(**json.load(sys.stdin))
    try:
        content = draw(request)
    except IndexError as error:
        output.write(str(error).encode())
        output.flush()
        sys.exit(NO_PAGE)
    except PdfiumError:
        sys.exit(DAMAGED)
    output.write(content)
    output.flush()


if __name__ == "__main__":
    main()
