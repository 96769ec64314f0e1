"""Bring an index up to date with files: read those that changed, remove those that are gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import VERSION, read_passages
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.io import ahead, content_hash
from seminar.protocols import Encoder
from seminar.retrieval.file_index import FileIndex, IndexedFile, IndexWriter, plan_update
from seminar.types import Passage

BATCH_PASSAGES = 2_000
BATCH_FILES = 1_000
AHEAD = 64  # files or parts read in advance while others are encoded and written
PUBLISH_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an update: bytes of the files to read, and the passages so far."""

    done_bytes: int
    total_bytes: int
    passages: int
    source: str


Watch = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an update; `problems` are those of all files, also of unchanged ones.

    `read` and `kept` count files that can be read, `unread` those that can't; `files` has the path
    of each source.
    """

    read: int
    removed: int
    kept: int
    problems: tuple[Problem, ...]
    unread: int = 0
    files: Mapping[str, Path] = field(default_factory=dict, compare=False)


def update(
    index: FileIndex,
    paths: Sequence[Path],
    encoder: Encoder,
    *,
    options: ReadOptions = DEFAULT_READING,
    selection: Selection = EVERYTHING,
    watch: Watch = lambda _: None,
    timeout: float = 10.0,
) -> Outcome:
    """Make the index hold exactly the given files, in their current state.

    It waits `timeout` seconds for another process that writes the index.
    """
    files, problems = discover(paths, selection=selection)
    hashes, unreadable = _hashes(files, options)
    plan = plan_update(index.files(), hashes)
    if plan.read or plan.remove:
        changed = [file for file in files if file.source in set(plan.read)]
        with index.writer(timeout=timeout) as writer:
            writer.remove(plan.remove)
            read = partial(_read, options=options)
            with ahead(_read_all(changed, hashes, read, watch), size=AHEAD) as parts:
                _add(writer, parts, encoder)
    records = index.files()
    recorded = [Problem(file.path, file.problem) for file in records.values() if file.problem]
    failed = {file.path for file in records.values() if file.problem and not file.passages}
    return Outcome(
        read=len(set(plan.read) - failed),
        removed=len(plan.remove),
        kept=len(set(plan.keep) - failed),
        problems=(*problems, *unreadable, *recorded),
        unread=len(failed) + len(unreadable),
        files={file.source: file.path for file in files},
    )


def _hashes(
    files: Iterable[SourceFile], options: ReadOptions
) -> tuple[dict[str, str], list[Problem]]:
    """The hash of each file's content and of the way it is read, and the unreadable files."""
    way = f"{VERSION} {options.key}".rstrip()
    hashes: dict[str, str] = {}
    unreadable: list[Problem] = []
    for file in files:
        try:
            hashes[file.source] = f"{way}:{content_hash(*file.files, follow=False)}"
        except OSError as error:
            unreadable.append(Problem(file.source, f"can't be read: {error.strerror}"))
    return hashes, unreadable


def _read_all(
    files: Sequence[SourceFile],
    hashes: dict[str, str],
    read: Callable[[SourceFile, str], Iterator[IndexedFile]],
    watch: Watch,
) -> Iterator[IndexedFile]:
    """Read all files, large ones in parts."""
    sizes = [sum(map(_size, file.files)) for file in files]
    done = passages = 0
    for file, size in zip(files, sizes, strict=True):
        watch(Progress(done, sum(sizes), passages, file.source))
        for part in read(file, hashes[file.source]):
            passages += len(part.passages)
            watch(Progress(done, sum(sizes), passages, file.source))
            yield part
        done += size
    watch(Progress(done, sum(sizes), passages, ""))


def _read(file: SourceFile, digest: str, *, options: ReadOptions) -> Iterator[IndexedFile]:
    """Read a file in parts; passages before an error are kept, and the error is recorded."""
    notes: list[str] = []
    passages: list[Passage] = []
    try:
        for passage in read_passages(
            file, lambda problem: notes.append(problem.reason), options=options
        ):
            passages.append(passage)
            if len(passages) >= BATCH_PASSAGES:
                yield IndexedFile(file.source, digest, tuple(passages), complete=False)
                passages = []
    except IngestionError as error:
        notes.append(str(error).removeprefix(f"{file.source}: "))
    yield IndexedFile(file.source, digest, tuple(passages), "; ".join(notes))


def _add(writer: IndexWriter, files: Iterator[IndexedFile], encoder: Encoder) -> None:
    """Encode and write in batches; publish at intervals, so that a stopped run can continue."""
    published = time.monotonic()
    for batch in _batches(files):
        texts = [passage.searched for file in batch for passage in file.passages]
        writer.add(batch, encoder.encode(texts))
        if time.monotonic() - published > PUBLISH_SECONDS and not writer.has_incomplete_file:
            writer.publish()
            published = time.monotonic()


def _batches(files: Iterable[IndexedFile]) -> Iterator[list[IndexedFile]]:
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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
