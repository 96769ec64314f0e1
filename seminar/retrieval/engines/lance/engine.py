"""The embedded engine: an index is a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seminar.index_marker import is_index
from seminar.protocols import Encoder
from seminar.retrieval.engines.engine import Description
from seminar.retrieval.engines.lance.creation import is_outdated
from seminar.retrieval.engines.lance.repair import repair, verify
from seminar.retrieval.engines.lance.store import LanceStore, describe
from seminar.retrieval.file_index import FileIndex, Repair


class FolderEngine:
    """Keeps each index in a folder, as a LanceDB table and a catalog."""

    def exists(self, place: Path) -> bool:
        return is_index(place)

    def describe(self, place: Path) -> Description:
        return describe(place)

    def is_outdated(self, place: Path) -> bool:
        return is_outdated(place)

    def create(self, place: Path, *, encoder: str, dimensions: int) -> FileIndex:
        return LanceStore.create(place, encoder=encoder, dimensions=dimensions)

    def open(self, place: Path, *, encoder: str, dimensions: int) -> FileIndex:
        return LanceStore(place, encoder=encoder, dimensions=dimensions)

    def verify(self, place: Path) -> list[str]:
        return verify(place)

    def repair(self, place: Path, load: Callable[[str], Encoder]) -> Repair:
        return repair(place, load)
