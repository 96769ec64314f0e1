"""The protocol of an engine: it makes, opens, checks and repairs indexes at places of its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from seminar.protocols import Encoder
from seminar.retrieval.file_index import FileIndex, Repair

PlaceKind = TypeVar("PlaceKind", contravariant=True)


@dataclass(frozen=True, slots=True)
class Description:
    """The format and the encoder of an index; only that encoder can search it."""

    format: int
    encoder: str
    dimensions: int


class Engine(Protocol[PlaceKind]):
    """Keeps indexes in folders (`Path`), or at URLs of some scheme (`IndexUrl`).

    Whatever goes wrong is an `IndexStoreError` of one line: which index, why, and what to do.
    """

    def exists(self, place: PlaceKind) -> bool:
        """Whether there is an index, whole or damaged; an unreachable place is an error."""

    def describe(self, place: PlaceKind) -> Description:
        """The encoder of an existing index of a format that can be read."""

    def is_outdated(self, place: PlaceKind) -> bool:
        """Whether an index has a format so old that its files are to be read again."""

    def create(self, place: PlaceKind, *, encoder: str, dimensions: int) -> FileIndex:
        """Open an index, making it first where there is none or an outdated one."""

    def open(self, place: PlaceKind, *, encoder: str, dimensions: int) -> FileIndex:
        """Open an existing index, which another encoder may not have made."""

    def verify(self, place: PlaceKind) -> list[str]:
        """What is wrong with an index, a line each; everything in it is looked at."""

    def repair(self, place: PlaceKind, load: Callable[[str], Encoder]) -> Repair:
        """Rebuild an index from what is intact; `load` gives the encoder of that name."""
