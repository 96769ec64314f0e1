"""TOML as key paths, each statement parsed by itself, so that its line is known."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path as FilePath

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import parse_source
from seminar.ingestion.documents.key_paths import Leaf, Path, check_depth, compose
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document

# What may hide a line end or a bracket from the search for the end of a statement.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|' + r"'''(?:[^']|'(?!''))*'''|"
    r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'|#[^\n]*|[\[{]|[\]}]|\n",
    re.DOTALL,
)


def read(path: FilePath, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a TOML file."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of TOML."""
    _load(text)  # names the line of an error
    return compose(_leaves(text), source)


def _leaves(text: str) -> Iterator[Leaf]:
    table: Path = ()
    arrays: Counter[Path] = Counter()
    for statement, line in _statements(text):
        content = _load(statement)
        if not statement.lstrip().startswith("["):
            yield from _places(_values(content, table), statement, line)
            continue
        table = tuple(_keys(content))
        table = _numbered(table, arrays, new=statement.lstrip().startswith("[["))


def _statements(text: str) -> Iterator[tuple[str, int]]:
    """The statements of a text: assignments and the headings of tables, with their lines."""
    start = depth = 0
    line = 1
    for token in _TOKEN.finditer(text + "\n"):
        mark = token.group()
        depth += (mark in "[{") - (mark in "]}")
        if mark == "\n" and depth <= 0:
            statement = text[start : token.end()]
            blank = len(statement) - len(statement.lstrip())
            if statement.strip():
                yield statement, line + statement.count("\n", 0, blank)
            line += statement.count("\n")
            start = token.end()


def _keys(content: object) -> Iterator[str]:
    """The keys of a table's heading, outermost first."""
    while content:
        if isinstance(content, list):
            content = content[0]
        elif isinstance(content, dict):
            [(key, content)] = content.items()
            yield key
        else:
            return


def _numbered(table: Path, arrays: Counter[Path], *, new: bool) -> Path:
    """The path of a table, with the position of each array of tables on it."""
    path: Path = ()
    for place, key in enumerate(table, start=1):
        path = (*path, key)
        check_depth(len(path))
        if new and place == len(table):
            arrays[path] += 1
        if path in arrays:
            path = (*path, arrays[path] - 1)
    return path


def _values(content: object, path: Path) -> Iterator[tuple[Path, str]]:
    check_depth(len(path))
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _values(value, (*path, key))
    elif isinstance(content, list):
        for place, value in enumerate(content):
            yield from _values(value, (*path, place))
    else:
        yield path, str(content).lower() if isinstance(content, bool) else str(content)


def _places(values: Iterator[tuple[Path, str]], statement: str, line: int) -> Iterator[Leaf]:
    """The values of a statement with their lines: each is searched for behind the one before."""
    at = len(statement) - len(statement.lstrip())
    for path, value in values:
        first = value.lstrip().partition("\n")[0]
        found = statement.find(first, at) if first else -1
        if found >= 0:
            line += statement.count("\n", at, found)
            at = found
        yield Leaf(path, value, line)


def _load(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text, parse_float=str)  # as it is written
    except tomllib.TOMLDecodeError as error:
        raise IngestionError(f"damaged TOML: {error}") from None
