"""YAML as key paths, from the parser's events: tags make no objects, and aliases are bounded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from seminar.errors import IngestionError
from seminar.ingestion.documents.document_builder import parse_source
from seminar.ingestion.documents.key_paths import Leaf, Path, check_depth, compose
from seminar.ingestion.streams.decoding import Notify, read_text
from seminar.types import Document

ALIAS_LIMIT = 10_000  # values that aliases repeat
_COMPLEX = "?"  # the key of a value whose key is no scalar


def read(path: FilePath, source: str, notify: Notify) -> Iterator[Document]:
    """The document of a YAML file."""
    yield parse_source(read_text(path, notify), source, parse)


def parse(text: str, source: str) -> Document:
    """A document of YAML; several documents in one file follow one another."""
    try:
        return compose(_Reader().leaves(yaml.parse(text, Loader=_loader())), source)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise IngestionError(f"damaged YAML in line {line}: {error.problem}") from None
    except yaml.YAMLError as error:
        raise IngestionError(f"damaged YAML: {str(error).splitlines()[0]}") from None


def _loader() -> type[yaml.SafeLoader] | type[yaml.CSafeLoader]:
    """The parser in C where PyYAML was built with it: it is ten times as fast."""
    return yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class _Open:
    """An open mapping or sequence: the key or position of its next value."""

    def __init__(self, anchor: str, first: int, *, mapping: bool) -> None:
        self.anchor = anchor
        self.first = first  # how many values came before it
        self.mapping = mapping
        self.key: str | int = _COMPLEX if mapping else 0
        self.has_key = not mapping


class _Reader:
    """Follows the events of a file, and remembers what anchors name."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._leaves: list[Leaf] = []
        self._anchors: dict[str, tuple[int, int, int]] = {}  # values from, to; length of path
        self._repeated = 0
        self._documents = 0
        self._keys: set[tuple[int, Path]] = set()  # of mappings, by document
        self._merged: dict[int, tuple[int, Path]] = {}  # the key that a merged value stands under

    def leaves(self, events: Iterator[Event]) -> Iterator[Leaf]:
        """The scalars of the events, in order, with those that aliases repeat.

        A key of a mapping itself replaces the one that is merged into it.
        """
        for event in events:
            self._follow(event)
        for place, leaf in enumerate(self._leaves):
            if place not in self._merged or self._merged[place] not in self._keys:
                yield leaf

    def _follow(self, event: Event) -> None:
        match event:
            case DocumentStartEvent():
                self._open.clear()
                self._anchors.clear()
                self._documents += 1
            case MappingStartEvent() | SequenceStartEvent():
                if self._is_key():
                    self._open[-1].key = _COMPLEX
                mapping = isinstance(event, MappingStartEvent)
                self._open.append(_Open(event.anchor or "", len(self._leaves), mapping=mapping))
                check_depth(len(self._open))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                ended = self._open.pop()
                self._name(ended.anchor, ended.first)
                self._end_value(_COMPLEX)
            case ScalarEvent():
                self._scalar(event)
            case AliasEvent():
                self._alias(event.anchor or "")

    def _scalar(self, event: ScalarEvent) -> None:
        if self._is_key():
            self._end_value(event.value)
            return
        first = len(self._leaves)
        # The text of a block begins on the line after its mark.
        mark = event.start_mark
        line = (mark.line if mark else 0) + (2 if event.style in ("|", ">") else 1)
        self._leaves.append(Leaf(self._path(), event.value, line))
        self._name(event.anchor or "", first)
        self._end_value(_COMPLEX)

    def _alias(self, anchor: str) -> None:
        if anchor not in self._anchors:
            raise IngestionError(f"alias *{anchor[:50]} names nothing before it")
        first, last, depth = self._anchors[anchor]
        if self._is_key():
            self._end_value(self._leaves[first].value if last > first else _COMPLEX)
            return
        self._repeated += last - first
        if self._repeated > ALIAS_LIMIT:
            raise IngestionError(f"aliases repeat more than {ALIAS_LIMIT:,} values")
        path = self._path()
        is_merged = path[-1:] == ("<<",)  # into the mapping itself
        path = path[:-1] if is_merged else path
        for leaf in self._leaves[first:last]:
            here = path + leaf.path[depth:]
            check_depth(len(here))
            if is_merged:
                self._merged[len(self._leaves)] = (self._documents, here[: len(path) + 1])
            self._leaves.append(leaf._replace(path=here))
        self._end_value(_COMPLEX)

    def _is_key(self) -> bool:
        return bool(self._open) and not self._open[-1].has_key

    def _end_value(self, value: str) -> None:
        """Move on from a key to its value, or from a value to the next key or position."""
        if not self._open:
            return
        here = self._open[-1]
        if not here.mapping:
            here.key = int(here.key) + 1
        elif here.has_key:
            here.has_key = False
        else:
            here.key, here.has_key = value, True
            self._keys.add((self._documents, self._path()))

    def _name(self, anchor: str, first: int) -> None:
        """Remember the values since `first` under an anchor."""
        if anchor:
            self._anchors[anchor] = (first, len(self._leaves), len(self._path()))

    def _path(self) -> Path:
        return tuple(level.key for level in self._open)
