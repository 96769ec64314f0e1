"""Bring an index up to date with files: read those that changed, remove those that are gone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from pathlib import Path

from seminar.errors import IngestionError, UnreadableError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import VERSION, read_passages
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.io import ahead, content_hash
from seminar.protocols import Encoder
from seminar.regular_files import is_regular
from seminar.retrieval.absences import sort_absences
from seminar.retrieval.file_index import (
    FileIndex,
    FileRecord,
    IndexedFile,
    IndexWriter,
    plan_update,
)
from seminar.types import Passage

BATCH_PASSAGES = 2_000
BATCH_FILES = 1_000
AHEAD = 32  # files read in advance while others are encoded and written
READERS = 4  # files read at once, by as many processes, where there are so many cores
PUBLISH_SECONDS = 20.0
SHOWN_STALE = 5


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
    of each source. `stale` are files out of sight that still answer, `withheld` those of them that
    seem to be deleted, but are so many that `forget` is to confirm it.
    """

    read: int
    removed: int
    kept: int
    problems: tuple[Problem, ...]
    unread: int = 0
    stale: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict, compare=False)


def update(
    index: FileIndex,
    paths: Sequence[Path],
    encoder: Encoder,
    *,
    options: ReadOptions = DEFAULT_READING,
    selection: Selection = EVERYTHING,
    forget: bool = False,
    watch: Watch = lambda _: None,
    timeout: float = 10.0,
) -> Outcome:
    """Make the index hold the given files in their current state, and forget those deleted.

    Files that can't be seen keep what was indexed; more than a fifth of all files are forgotten
    only with `forget`. It waits `timeout` seconds for another process that writes the index.
    """
    files, problems = discover(paths, selection=selection)
    hashes, unreadable = _hashes(files, options)
    known = index.files()
    plan = plan_update(known, hashes)
    hidden = {problem.source for problem in (*problems, *unreadable) if problem.hides}
    absences = sort_absences(
        plan.remove,
        known,
        hashes,
        hidden=hidden,
        left_out={path for path in plan.remove if _is_there(path, paths)},
        forget=forget,
    )
    unseen = {*absences.hidden, *absences.withheld}
    newly = [path for path in unseen if not known[path].stale_since]
    back = [path for path in plan.keep if known[path].stale_since]
    if plan.read or absences.forgotten or newly or back:
        changed = [file for file in files if file.source in set(plan.read)]
        with index.writer(timeout=timeout) as writer:
            writer.remove(absences.forgotten)
            read = partial(_read, options=options, unreadable=unreadable)
            sources = (read(file, hashes[file.source]) for file in changed)
            with ahead(sources, at_once=min(READERS, os.cpu_count() or 1), size=AHEAD) as parts:
                _add(writer, _watched(parts, changed, watch), encoder)
            unreadable.sort(key=lambda problem: problem.source)
            lost = {problem.source for problem in unreadable} & known.keys()
            unseen |= lost
            writer.mark_stale({*newly, *lost}, time.time())
            writer.mark_stale(back, 0.0)
    records = index.files()
    recorded = [Problem(file.path, file.problem) for file in records.values() if file.problem]
    failed = {file.path for file in records.values() if file.problem and not file.passages}
    failed |= {problem.source for problem in unreadable}
    return Outcome(
        read=len(set(plan.read) - failed),
        removed=len(absences.forgotten),
        kept=len(set(plan.keep) - failed),
        problems=(
            *problems,
            *unreadable,
            *recorded,
            *_stale_lines([records[path] for path in sorted(unseen & records.keys())]),
            *_withheld_lines(absences.withheld, len(known)),
        ),
        unread=len(failed),
        stale=tuple(sorted(unseen & records.keys())),
        withheld=absences.withheld,
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
            reason = f"can't be read: {error.strerror}"
            unreadable.append(Problem(file.source, reason, hides=True))
    return hashes, unreadable


def _is_there(source: str, roots: Sequence[Path]) -> bool:
    """Whether a file that was left out still is where it was, so that it isn't lost."""
    return any(is_regular(place / source) for root in roots for place in (root, root.parent))


def _stale_lines(records: Sequence[FileRecord]) -> list[Problem]:
    """A line for each file that answers with what was read before, or one for all of many."""
    if len(records) > SHOWN_STALE:
        reason = f"and {len(records) - 1:,} more files can't be seen; their earlier text answers"
        return [Problem(records[0].path, reason)]
    return [
        Problem(record.path, f"can't be seen since {_day(record)}; its earlier text answers")
        for record in records
    ]


def _day(record: FileRecord) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(record.stale_since))


def _withheld_lines(withheld: Sequence[str], known: int) -> list[Problem]:
    if not withheld:
        return []
    reason = (
        f"{len(withheld):,} of {known:,} files are gone, which may be a folder that isn't there "
        "now; they still answer. If they were deleted: --forget"
    )
    return [Problem(withheld[0] if len(withheld) == 1 else f"{withheld[0]} ...", reason)]


def _watched(
    parts: Iterator[IndexedFile], files: Sequence[SourceFile], watch: Watch
) -> Iterator[IndexedFile]:
    """Report the progress over the parts of the files, which come in the same order."""
    sizes = [sum(map(_size, file.files)) for file in files]
    begins = dict(zip([file.source for file in files], accumulate([0, *sizes]), strict=False))
    total, passages = sum(sizes), 0
    watch(Progress(0, total, passages, files[0].source if files else ""))
    for part in parts:
        passages += len(part.passages)
        watch(Progress(begins[part.path], total, passages, part.path))
        yield part
    watch(Progress(total, total, passages, ""))


def _read(
    file: SourceFile, digest: str, *, options: ReadOptions, unreadable: list[Problem]
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
