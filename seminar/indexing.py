"""Bring an index up to date with files: read those that changed, remove those that are gone."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from seminar.file_batches import EncodedBatch, Reading, Watch, read_here
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import VERSION
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.selection import EVERYTHING, Selection
from seminar.io import content_hash
from seminar.protocols import Encoder
from seminar.regular_files import is_regular
from seminar.retrieval.absences import sort_absences
from seminar.retrieval.file_index import (
    FileIndex,
    FileRecord,
    IndexWriter,
    plan_update,
)

PUBLISH_SECONDS = 20.0
SHOWN_STALE = 5


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
    reading: Reading | None = None,
) -> Outcome:
    """Make the index hold the given files in their current state, and forget those deleted.

    Files that can't be seen keep what was indexed; more than a fifth of all files are forgotten
    only with `forget`. It waits `timeout` seconds for another process that writes the index.
    Files are read and encoded here, or where `reading` does it.
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
            read = reading or read_here
            with closing(read(changed, hashes, options, encoder, watch)) as batches:
                unreadable += _add(writer, batches)
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


def _add(writer: IndexWriter, batches: Iterable[EncodedBatch]) -> list[Problem]:
    """Write batches; publish at intervals, so that a stopped run can continue."""
    unreadable: list[Problem] = []
    published = time.monotonic()
    for batch in batches:
        unreadable += batch.unreadable
        writer.add(batch.files, batch.vectors)
        if time.monotonic() - published > PUBLISH_SECONDS and not writer.has_incomplete_file:
            writer.publish()
            published = time.monotonic()
    return unreadable
