"""Files to passages and their vectors, in batches that an index can take.

Here it is done in this process; `cluster_indexing` does it on many machines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from seminar.errors import IngestionError, UnreadableError
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.loader import read_passages
from seminar.ingestion.read_options import ReadOptions
from seminar.io import ahead, content_hash
from seminar.protocols import Encoder
from seminar.retrieval.file_index import IndexedFile
from seminar.types import Matrix, Passage

BATCH_PASSAGES = 2_000
BATCH_FILES = 1_000
AHEAD = 32  # files read in advance while others are encoded and written
READERS = 4  # files read at once, by as many processes, where there are so many cores


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an update: bytes of the files to read, and the passages so far."""

    done_bytes: int
    total_bytes: int
    passages: int
    source: str


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class EncodedBatch:
    """Files, or parts of files in their order, with the vectors of their passages.

    `unreadable` are files that the system refuses to read at present.
    """

    files: tuple[IndexedFile, ...]
    vectors: Matrix
    unreadable: tuple[Problem, ...] = ()


# Reads and encodes files, given with the hash of each: here, or on many machines.
Reading = Callable[
    [Sequence[SourceFile], Mapping[str, str], ReadOptions, Encoder, Watch],
    Generator[EncodedBatch, None, None],
]


def read_here(
    files: Sequence[SourceFile],
    hashes: Mapping[str, str],
    options: ReadOptions,
    encoder: Encoder,
    watch: Watch,
) -> Generator[EncodedBatch, None, None]:
    """Read some files at once, and encode them in this thread."""
    unreadable: list[Problem] = []
    sources = (read_file(file, hashes[file.source], options, unreadable) for file in files)
    with ahead(sources, at_once=min(READERS, os.cpu_count() or 1), size=AHEAD) as parts:
        for batch in in_batches(_watched(parts, files, watch)):
            yield encoded(batch, encoder)
    if unreadable:
        yield encoded((), encoder, tuple(unreadable))


def encoded(
    files: Sequence[IndexedFile], encoder: Encoder, unreadable: tuple[Problem, ...] = ()
) -> EncodedBatch:
    """A batch with the vectors of its passages."""
    texts = [passage.searched for file in files for passage in file.passages]
    return EncodedBatch(tuple(files), encoder.encode(texts), unreadable)


def _watched(
    parts: Iterator[IndexedFile], files: Sequence[SourceFile], watch: Watch
) -> Iterator[IndexedFile]:
    """Report the progress over the parts of the files, which come in the same order."""
    sizes = [size_of(file) for file in files]
    begins = dict(zip([file.source for file in files], accumulate([0, *sizes]), strict=False))
    total, passages = sum(sizes), 0
    watch(Progress(0, total, passages, files[0].source if files else ""))
    for part in parts:
        passages += len(part.passages)
        watch(Progress(begins[part.path], total, passages, part.path))
        yield part
    watch(Progress(total, total, passages, ""))


def read_file(
    file: SourceFile, digest: str, options: ReadOptions, unreadable: list[Problem]
) -> Iterator[IndexedFile]:
    """Read a file in parts; passages before an error are kept, and the error is recorded.

    A file that the system refuses to read is only reported, and tried again by the next update.
    """
    begun, before = False, _state(file)
    notes: list[str] = []
    passages: list[Passage] = []
    try:
        for passage in read_passages(
            file, lambda problem: notes.append(problem.reason), options=options
        ):
            passages.append(passage)
            if len(passages) >= BATCH_PASSAGES:
                yield IndexedFile(file.source, digest, tuple(passages), complete=False)
                passages, begun = [], True
    except UnreadableError as error:
        reason = str(error).removeprefix(f"{file.source}: ")
        if not begun:
            unreadable.append(Problem(file.source, reason, hides=True))
            return
        digest = ""
        notes.append(reason)
    except IngestionError as error:
        notes.append(str(error).removeprefix(f"{file.source}: "))
    if _state(file) != before or not _is_still(file, digest):
        digest = ""  # other words than those that were hashed may have been read
    yield IndexedFile(file.source, digest, tuple(passages), "; ".join(notes))


def _state(file: SourceFile) -> list[tuple[int, int, int]]:
    """What differs after any change of the content, also one that was taken back."""
    try:
        each = [path.lstat() for path in file.files]
    except OSError:
        return []
    return [(status.st_ino, status.st_size, status.st_ctime_ns) for status in each]


def _is_still(file: SourceFile, digest: str) -> bool:
    try:
        return digest.endswith(f":{content_hash(*file.files, follow=False)}")
    except OSError:
        return False


def in_batches(files: Iterable[IndexedFile]) -> Iterator[list[IndexedFile]]:
    """Batches of some thousand passages or a thousand files."""
    batch: list[IndexedFile] = []
    passages = 0
    for file in files:
        batch.append(file)
        passages += len(file.passages)
        if passages >= BATCH_PASSAGES or len(batch) >= BATCH_FILES:
            yield batch
            batch, passages = [], 0
    if batch:
        yield batch


def size_of(file: SourceFile) -> int:
    """The bytes of a file, 0 where it can't be seen."""
    return sum(map(_size, file.files))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
