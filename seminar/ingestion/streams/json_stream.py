"""Streaming JSON: the elements of a large array, one at a time."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Set
from typing import BinaryIO

from seminar.errors import IngestionError

ELEMENT_LIMIT = 16_000_000  # characters of one element, or of a field beside the array
LINE_LIMIT = 4_000_000  # bytes
_CHUNK = 1 << 18
_SPACE = " \t\n\r\ufeff"


def fields(stream: BinaryIO, streamed: str) -> Iterator[tuple[str, object]]:
    """The fields of an object in order; the array `streamed` gives a pair for each element."""
    scan = _Scanner(stream)
    scan.expect("{")
    while scan.peek() != "}":
        key = scan.value()
        scan.expect(":")
        if key == streamed and scan.peek() == "[":
            yield from ((streamed, element) for element in _elements(scan))
        else:
            yield str(key), scan.value()
        if scan.peek() != "}":
            scan.expect(",")


Place = tuple[str, ...]


def records(stream: BinaryIO, opened: Set[Place]) -> Iterator[tuple[Place, object]]:
    """The fields of an object in order, each with the keys that lead to it.

    Objects and arrays at the `opened` places are not read at once, but field by field; `*` stands
    for the elements of an array. Where an opened element begins, its place comes with None.
    """
    yield from _records(_Scanner(stream), (), opened)


def _records(scan: _Scanner, place: Place, opened: Set[Place]) -> Iterator[tuple[Place, object]]:
    mark = scan.peek()
    if (place and place not in opened) or mark not in "{[":
        yield place, scan.value()
        return
    if mark == "{":
        if place[-1:] == ("*",):
            yield place, None
        scan.expect("{")
        while scan.peek() != "}":
            key = str(scan.value())
            scan.expect(":")
            yield from _records(scan, (*place, key), opened)
            if scan.peek() != "}":
                scan.expect(",")
        scan.expect("}")
        return
    scan.expect("[")
    while scan.peek() != "]":
        yield from _records(scan, (*place, "*"), opened)
        if scan.peek() != "]":
            scan.expect(",")
    scan.expect("]")


def elements(stream: BinaryIO) -> Iterator[object]:
    """The elements of an array."""
    yield from _elements(_Scanner(stream))


def lines(stream: BinaryIO) -> Iterator[tuple[int, dict[str, object] | None]]:
    """The objects of JSON lines with their line numbers; None for a line that holds none."""
    number = 0
    while line := stream.readline(LINE_LIMIT):
        number += 1
        whole = line.endswith(b"\n") or len(line) < LINE_LIMIT
        while not whole and (rest := stream.readline(LINE_LIMIT)):
            whole = rest.endswith(b"\n")
            line = b"!"
        if line.strip():
            yield number, _object(line)


def _object(line: bytes) -> dict[str, object] | None:
    try:
        record = json.loads(line.removeprefix(codecs.BOM_UTF8))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _elements(scan: _Scanner) -> Iterator[object]:
    scan.expect("[")
    while scan.peek() != "]":
        yield scan.value()
        if scan.peek() != "]":
            scan.expect(",")
    scan.expect("]")


class _Scanner:
    """A position in a stream of JSON; the text before it is dropped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._json = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is not space; raises IngestionError at the end."""
        while True:
            while self._at < len(self._text):
                if (character := self._text[self._at]) not in _SPACE:
                    return character
                self._at += 1
            if not self._read(_CHUNK):
                raise IngestionError("cut off: its JSON ends too early")

    def expect(self, mark: str) -> None:
        """Step over a mark that must come next."""
        if (character := self.peek()) != mark:
            raise IngestionError(f"damaged JSON: {character!r} where {mark!r} should be")
        self._at += 1

    def value(self) -> object:
        """The next value, stepped over."""
        self.peek()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                raise IngestionError("JSON nested too deeply") from None
            except ValueError:
                end = len(self._text)
            if end < len(self._text):  # a number may continue in the next chunk
                self._at = end
                return value
            held = len(self._text) - self._at
            if held > ELEMENT_LIMIT or not self._read(max(held, _CHUNK)):
                raise IngestionError("damaged JSON, or cut off")

    def _read(self, size: int) -> bool:
        chunk = self._stream.read(size)
        self._text = self._text[self._at :] + self._decoder.decode(chunk, final=not chunk)
        self._at = 0
        return bool(chunk)
