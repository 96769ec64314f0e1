"""WikiExtractor's output: many articles per file, as <doc> elements or as JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import DocumentBuilder
from seminar.ingestion.documents.inline import Block, InlineBuilder
from seminar.ingestion.streams.compressed import open_stream
from seminar.ingestion.streams.decoding import LINE_LIMIT, Notify, clean
from seminar.types import Document, LineMark

ARTICLE_LIMIT = 4_000_000
OPENING_LIMIT = 4_000  # characters of <doc ...>: looking for its title takes their square
_DOC = re.compile(r'<doc\s[^>]*?\btitle="([^"]*)"[^>]*>')
_SECTION = re.compile(r"Section::::(.+?)\.?|<h([1-6])>(.+?)</h[1-6]>|(#{2,6})\s+(.+)")
_BARE_HEADING = re.compile(
    r"(?!(?:It|He|She|They|We|I|This|That|There)\b)[A-Z0-9][^.,;:!?\"“”]{1,40}\."
)
_ITEM = re.compile(r"(?:BULLET::::)?[-*]\s+|<li>\s*")
_ANCHOR = re.compile(r'<a href="([^"<>]*)">([^<]*)</a>|</?(?:li|ul|ol|b|i|br|p)\s*/?>')

NumberedLine = tuple[int, str]


def recognises(head: bytes) -> bool:
    """Whether a file begins like WikiExtractor's output."""
    if head.lstrip().startswith(b"<doc id="):
        return True
    first = head.lstrip().partition(b"\n")[0]
    return first.startswith(b'{"id":') and b'"title":' in first and b'"text":' in first


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The articles of a file, each cited as file#Title."""
    with open_stream(path) as stream:
        for number, (title, lines) in enumerate(_articles(stream, notify)):
            document = parse(lines, f"{source}#{title or number + 1}", file=source)
            if document is not None:
                yield document


def parse(lines: Sequence[NumberedLine], source: str, *, file: str) -> Document | None:
    """A document of an article's lines, or None where there is no text."""
    builder = DocumentBuilder()
    title = source.removeprefix(f"{file}#")
    body = lines[1:] if lines and unescape(lines[0][1].strip()) == title else lines
    texts = [(number, text) for number, line in body if (text := line.strip())]
    after_item = False
    for position, (number, text) in enumerate(texts, start=1):
        if heading := _heading(text, is_last=position == len(texts)):
            level, heading_text = heading
            builder.add_heading(level, Block(heading_text, lines=(LineMark(0, number),)))
            after_item = False
            continue
        item = _ITEM.match(text)
        block = _block(text[item.end() :] if item else text, number, file)
        if block.text:
            builder.add_block(block, "\n" if item and after_item else "\n\n")
            after_item = item is not None
    return None if builder.is_empty else builder.build(source, title)


def _heading(line: str, *, is_last: bool) -> tuple[int, str] | None:
    """Level and text of a heading, however this version of WikiExtractor wrote it."""
    if match := _SECTION.fullmatch(line):
        path, level, tagged, marks, marked = match.groups()
        if path:
            parts = path.split(":")
            return 1 + len(parts), unescape(parts[-1])
        return (int(level), unescape(tagged)) if level else (len(marks), unescape(marked))
    if not is_last and len(line.split()) <= 5 and _BARE_HEADING.fullmatch(line):
        return 2, unescape(line[:-1])
    return None


def _block(text: str, number: int, file: str) -> Block:
    inline = InlineBuilder()
    inline.mark_line(number)
    text = unescape(text) if "<a href" not in text and "&lt;a href" in text else text
    position = 0
    for match in _ANCHOR.finditer(text):
        inline.add(unescape(text[position : match.start()]))
        position = match.end()
        if match.group(1) is not None:
            inline.open_link(_target(unquote(unescape(match.group(1))), file))
            inline.add(unescape(match.group(2)))
            inline.close_link()
    inline.add(unescape(text[position:]))
    return inline.take()


def _target(href: str, file: str) -> str:
    if "://" in href:
        return href
    name = href.partition("#")[0].replace("_", " ").strip()
    return f"{file}#{name[0].upper()}{name[1:]}" if name else ""


def _articles(stream: BinaryIO, notify: Notify) -> Iterator[tuple[str, list[NumberedLine]]]:
    """Title and lines of each article."""
    title, size, inside = "", 0, False
    lines: list[NumberedLine] = []
    for number, line in enumerate(_lines(stream), start=1):
        if not inside and line.startswith("{"):
            yield _from_json(line, number)
        elif (opening := _DOC.match(line, 0, OPENING_LIMIT)) is not None:
            title, lines, size, inside = unescape(opening.group(1)), [], 0, True
        elif line.startswith("</doc>"):
            inside = False
            if size <= ARTICLE_LIMIT:
                yield title, lines
            else:
                notify(f"article {title!r} is larger than any article and was left out")
        elif inside:
            size += len(line)
            if size <= ARTICLE_LIMIT:
                lines.append((number, line))
        elif line.strip():
            raise IngestionError(f"line {number} is outside of any <doc>")
    if inside:
        raise IngestionError(f"cut off within the article {title!r}")


def _from_json(line: str, number: int) -> tuple[str, list[NumberedLine]]:
    try:
        record = json.loads(line)
        lines = clean(_whole(str(record["text"]))).split("\n")
        return _whole(str(record["title"])), [(number, text) for text in lines]
    except (ValueError, KeyError, RecursionError):
        raise IngestionError(f"line {number} is not an article of title and text") from None


def _whole(text: str) -> str:
    """Text with lone surrogates, which JSON may hold, marked as unreadable."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _lines(stream: BinaryIO) -> Iterator[str]:
    number = 0
    while line := stream.readline(ARTICLE_LIMIT + 1):
        number += 1
        if len(line) > (ARTICLE_LIMIT if line.startswith(b"{") else 4 * LINE_LIMIT):
            raise IngestionError(f"line {number} is longer than {LINE_LIMIT:,} characters")
        try:
            yield clean(line.decode()).rstrip("\n")
        except UnicodeDecodeError:
            raise IngestionError(f"line {number} is not UTF-8") from None
