"""Finding and opening the files of a dataset, plain or gzipped."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from seminar.datasets.records import Record
from seminar.errors import DatasetError
from seminar.examples import Example

# Errors of a file that was cut short or isn't text.
UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)

# The message for JSON that is well formed but that the parser refuses.
TOO_LONG = "a whole number there has more digits than can be read"

ExampleReader = Callable[[Path], Iterator[Example]]


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a dataset: its file's names, the official one first, and its reader."""

    names: tuple[str, ...]
    read: ExampleReader


def find(folder: Path, names: Sequence[str]) -> Path:
    """The first of the named files that is in the folder, gzipped or not."""
    for name in names:
        for candidate in (folder / name, folder / f"{name}.gz"):
            if candidate.is_file():
                return candidate
    wanted = " or ".join(f"'{name}'" for name in names)
    raise DatasetError(f"{folder}: no {wanted} here, nor with .gz; put the official file there")


def read_json(path: Path) -> Record:
    """The whole of a JSON file."""
    with _opened(path) as stream:
        try:
            text = stream.read()
        except UNREADABLE as error:
            raise DatasetError(f"{path.name}: can't be read to its end: {error}") from error
    return Record(_parsed(text, path.name), path.name)


def read_json_lines(path: Path) -> Iterator[Record]:
    """The objects of a JSON-lines file, one at a time; blank lines are passed over."""
    for number, line in read_lines(path):
        if line.strip():
            where = f"{path.name}:{number}"
            yield Record(_parsed(line, where), where)


def read_records(path: Path) -> Iterator[Record]:
    """The objects of a JSON-lines file (`.jsonl`), or the elements of a JSON list."""
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return read_json_lines(path)
    return read_json(path).items()


def read_rows(path: Path, columns: int) -> Iterator[tuple[str, list[str]]]:
    """The rows of a tab-separated file, each with its place; every row has as many columns."""
    for number, line in read_lines(path):
        row, where = line.split("\t"), f"{path.name}:{number}"
        if len(row) != columns:
            raise DatasetError(
                f"{where}: expected {columns} tab-separated columns, found {len(row)}"
            )
        yield where, row


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers, without line ends."""
    with _opened(path) as stream:
        number = 0
        try:
            for number, line in enumerate(stream, start=1):
                yield number, line.rstrip("\r\n")
        except UNREADABLE as error:
            raise DatasetError(f"{path.name}:{number + 1}: can't be read on: {error}") from error


def _opened(path: Path) -> TextIO:
    try:
        if path.suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8")
        return path.open(encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"{path}: can't be opened: {error.strerror}") from error


def _parsed(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise DatasetError(f"{where}: not JSON at {place}: {error.msg}") from error
    except ValueError:
        raise DatasetError(f"{where}: {TOO_LONG}") from None
    except RecursionError:
        raise DatasetError(f"{where}: JSON nested too deeply for any dataset") from None
