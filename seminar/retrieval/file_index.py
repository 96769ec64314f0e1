"""The protocol of an index of files: what every engine provides, and the records it exchanges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from seminar.protocols import PassageStore
from seminar.types import Matrix, Passage


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """An input file to be indexed: its content hash and passages, or the problem it had.

    A file too large to hold in memory comes in parts, in order, all but the last not `complete`.
    """

    path: str
    hash: str
    passages: tuple[Passage, ...] = ()
    problem: str = ""
    complete: bool = True


@dataclass(frozen=True, slots=True)
class FileRecord:
    """An input file that the index knows; `problem` says why it could not be read in full.

    `stale_since` is the time (seconds since 1970) since when it can't be seen, or 0.
    """

    path: str
    hash: str
    passages: int = 0
    problem: str = ""
    stale_since: float = 0.0


@dataclass(frozen=True, slots=True)
class UpdatePlan:
    """The work of an update: files to read (new or changed), to remove (deleted), to keep."""

    read: tuple[str, ...]
    remove: tuple[str, ...]
    keep: tuple[str, ...]


def plan_update(indexed: Mapping[str, FileRecord], current: Mapping[str, str]) -> UpdatePlan:
    """Compare the files of an index with the current files, given as {path: content hash}.

    >>> plan_update({"a": FileRecord("a", "1"), "b": FileRecord("b", "1")}, {"a": "2", "c": "1"})
    UpdatePlan(read=('a', 'c'), remove=('b',), keep=())
    """
    unchanged = {
        path for path, digest in current.items() if path in indexed and indexed[path].hash == digest
    }
    return UpdatePlan(
        read=tuple(sorted(current.keys() - unchanged)),
        remove=tuple(sorted(indexed.keys() - current.keys())),
        keep=tuple(sorted(unchanged)),
    )


@dataclass(frozen=True, slots=True)
class Repair:
    """The result of a repair: how many files are as they were, and which are to be read again."""

    kept: int
    lost: tuple[str, ...]
    rebuilt: bool


class IndexWriter(Protocol):
    """Replaces and removes whole files; nothing is visible to readers before it is published."""

    @property
    def has_incomplete_file(self) -> bool:
        """Whether the last part of some file is still missing, so that publishing is an error."""

    def add(self, files: Sequence[IndexedFile], vectors: Matrix) -> None:
        """Add files or parts of files, replacing their earlier passages; one vector a passage."""

    def remove(self, paths: Iterable[str]) -> None:
        """Remove files with all their passages; unknown paths are ignored."""

    def mark_stale(self, paths: Iterable[str], since: float) -> None:
        """Record since when files can't be seen, 0 for those seen again; their passages stay."""

    def publish(self) -> None:
        """Make every change so far visible and durable in one step."""


class FileIndex(PassageStore, Protocol):
    """A passage store that knows the input files of its passages and the encoder of its vectors.

    Searches see the version that was published when the index was opened or last refreshed.
    """

    @property
    def encoder_name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def files(self) -> dict[str, FileRecord]:
        """Every input file by path, also those that could not be read."""

    def scopes(self) -> dict[str, int]:
        """The number of passages in each scope."""

    def passages(self, sources: Sequence[str]) -> list[list[Passage]]:
        """The passages of each source, in the order of their offsets."""

    def file_passages(self, path: str, *, limit: int) -> list[Passage]:
        """The passages of an input file, at most so many, by source and offset."""

    def writer(self, *, timeout: float = 10.0) -> AbstractContextManager[IndexWriter]:
        """Open the only writer, waiting `timeout` seconds for another one to finish.

        Leaving the context publishes; an exception discards what was not published.
        """

    def refresh(self) -> None:
        """Reload the latest published version."""


def file_of(index: FileIndex, source: str) -> str | None:
    """The indexed file that a source is in; sources begin with the path of their file."""
    files = index.files()
    path = source
    while path:
        if path in files:
            return path
        cut = max(path.rfind("/"), path.rfind("#"))
        path = path[:cut] if cut > 0 else ""
    return None
