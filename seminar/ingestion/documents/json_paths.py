"""JSON as key paths, with the line of each value; comments and trailing commas are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import parse_source
from seminar.ingestion.documents.key_paths import Leaf, check_depth, compose
from seminar.ingestion.streams.decoding import Notify, decode_source, read_content
from seminar.types import Document

_SPACE = re.compile(r"[ \t\n\r]+|//[^\n]*|/\*(?s:.*?)\*/")
_PLAIN = re.compile(r"-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity")
_CLOSING = {"{": "}", "[": "]"}
_DECODER = JSONDecoder(strict=False)  # line ends within strings are let pass


def read(path: Path, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a JSON file."""
    yield parse_source(decode_source(read_content(path), notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of JSON."""
    return compose(leaves(text), source)


def leaves(text: str) -> Iterator[Leaf]:
    """The values of a JSON text that are neither objects nor arrays, in order."""
    scan = _Scan(text)
    path: list[str | int] = []  # the key or position in each open object or array
    while True:
        if (mark := scan.mark()) in _CLOSING:
            scan.step()
            if scan.mark() != _CLOSING[mark]:
                path.append(scan.key() if mark == "{" else 0)
                check_depth(len(path))
                continue
            scan.step()
        else:
            line = scan.line
            yield Leaf(tuple(path), scan.value(), line)
        if not _advance(scan, path):
            break
    if scan.mark():
        raise scan.damage()


def _advance(scan: _Scan, path: list[str | int]) -> bool:
    """Step from the end of a value to the next one, if there is one."""
    while path:
        here = path[-1]
        if comma := scan.mark() == ",":
            scan.step()
        if scan.mark() == ("]" if isinstance(here, int) else "}"):
            scan.step()
            path.pop()
            continue
        if not comma:
            raise scan.damage()
        path[-1] = here + 1 if isinstance(here, int) else scan.key()
        return True
    return False


class _Scan:
    """A position in a JSON text, and its line."""

    def __init__(self, text: str) -> None:
        self.line = 1
        self._text = text
        self._at = 0

    def mark(self) -> str:
        """The next character behind spaces and comments; empty at the end."""
        while space := _SPACE.match(self._text, self._at):
            self._move(space.end())
        return self._text[self._at : self._at + 1]

    def step(self) -> None:
        """Step over a mark."""
        self._at += 1

    def key(self) -> str:
        """The next key, stepped over with its colon."""
        if self.mark() != '"':
            raise self.damage()
        key = self._string()
        if self.mark() != ":":
            raise self.damage()
        self.step()
        return key

    def value(self) -> str:
        """The next string, number or word, stepped over."""
        if self.mark() == '"':
            return self._string()
        plain = _PLAIN.match(self._text, self._at)
        if plain is None:
            raise self.damage()
        self._move(plain.end())
        return plain.group()

    def damage(self) -> IngestionError:
        """The error for what stands here."""
        if self._at >= len(self._text):
            return IngestionError("cut off: its JSON ends too early")
        return IngestionError(f"damaged JSON in line {self.line}")

    def _string(self) -> str:
        try:
            text, end = _DECODER.raw_decode(self._text, self._at)
        except JSONDecodeError:
            raise self.damage() from None
        self._move(end)
        return str(text)

    def _move(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to
