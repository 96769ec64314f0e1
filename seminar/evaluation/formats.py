"""Prediction formats: the entries of a file by id, and whether their values can be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from seminar.errors import ScoringError
from seminar.evaluation.files import Json, Parsed, read_any

Entry = tuple[str, Json]


class MisshapenError(ScoringError):
    """A file that isn't of the expected form at all."""


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """A format of predictions: its title, its entries by id, and what each value must be.

    A file is `complete` if it answers every question once; rankings and runs need not be. A format
    of JSON `lines` is a list even where the file has one line.
    """

    title: str
    entries: Callable[[Json], Iterator[Entry]]
    fits: Callable[[Json], bool]
    expected: str
    complete: bool = True
    lines: bool = False
    read: Callable[[Path], Parsed] = read_any

    def matches(self, parsed: Json) -> bool:
        """Whether the first entry of a file is of this format."""
        try:
            first = next(self.entries(parsed), None)
        except MisshapenError:
            return False
        return first is not None and self.fits(first[1])


def is_text(value: Json) -> TypeGuard[str]:
    return isinstance(value, str)


def is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_number(value: Json) -> bool:
    """Whether a value is a number to rank by, which NaN and infinity are not."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max


def is_scores(value: Json) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def has_keys(value: Json, keys: tuple[str, ...], kind: type = str) -> bool:
    """Whether a value is an object that holds a value of the kind under each key."""
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key in keys)


def mapping_entries(parsed: Json) -> Iterator[Entry]:
    """{id: value}."""
    if not isinstance(parsed, dict):
        raise MisshapenError(f"expected one JSON object of ids, found {_kind(parsed)}")
    yield from parsed.items()


def keyed_entries(keys: tuple[str, ...], value: str, join: str) -> Callable[..., Iterator[Entry]]:
    """[{key: ..., value: ...}], its ids joined of the keys."""

    def entries(parsed: Json) -> Iterator[Entry]:
        single = isinstance(parsed, dict) and {*keys, value} <= parsed.keys()
        for number, entry in enumerate([parsed] if single else listed(parsed)):
            if not isinstance(entry, dict) or not {*keys, value} <= entry.keys():
                raise MisshapenError(f"[{number}]: expected {', '.join((*keys, value))}")
            yield join.join(str(entry[key]) for key in keys), entry[value]

    return entries


def listed_entries(parsed: Json) -> Iterator[Entry]:
    """[value], its ids being the positions from 1."""
    for number, value in enumerate(listed(parsed), start=1):
        yield str(number), value


def listed(parsed: Json) -> list[Json]:
    """A value that must be a list."""
    if not isinstance(parsed, list):
        raise MisshapenError(f"expected a list, found {_kind(parsed)}")
    return parsed


def _kind(value: Json) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "text"}
    return names.get(type(value), f"a {type(value).__name__}")
