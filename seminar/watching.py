"""Keeping an index fresh: files are indexed again soon after they change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from seminar.errors import MissingExtraError, SeminarError
from seminar.indexing import Outcome
from seminar.ingestion.selection import IGNORE_FILES

EXTRA = "watch"
DEBOUNCE = 1.0  # seconds during which changes are gathered, from the first one on
RESCAN = 600.0  # seconds after which all is looked at again, as systems may drop notices
RETRY = 5.0  # seconds before an update that failed is tried again
_LOOK = 1.0  # seconds between looks at whether the watched folders are still the same


def keep_fresh(
    update: Callable[[], Outcome],
    changes: Iterable[None],
    *,
    updated: Callable[[Outcome, float], None],
    failed: Callable[[Exception], None],
    stop: threading.Event,
    retry: float = RETRY,
) -> None:
    """Update at each of the changes, the first of which is that watching has begun.

    An update that fails, as where a file vanishes while it is read, another process writes the
    index, or the disk is full, is reported and tried again; only a failure of the first is raised.
    """
    is_first = True
    for _ in changes:
        reported = ""
        while not stop.is_set():
            begun = time.monotonic()
            try:
                outcome = update()
            except (SeminarError, OSError) as error:
                if is_first:
                    raise
                if str(error) != reported:
                    failed(error)
                reported = str(error)
                stop.wait(retry)
            else:
                updated(outcome, time.monotonic() - begun)
                is_first = False
                break


def changes(
    paths: Sequence[Path],
    *,
    stop: threading.Event,
    ignored: Iterable[Path] = (),
    debounce: float = DEBOUNCE,
    rescan: float = RESCAN,
) -> Iterator[None]:
    """An item when watching has begun, then one whenever something under the paths has changed.

    There is one at the latest after `rescan`. Hidden files, and those below the `ignored` folders,
    don't count. A path that is gone is waited for.
    """
    try:
        import watchfiles
    except ModuleNotFoundError:
        raise MissingExtraError("watching files", EXTRA) from None
    roots = [path.resolve() for path in paths]
    own = [path.resolve() for path in ignored]
    # A file is watched by its folder, since editors put another one in its place.
    folders = sorted({path.parent if path.is_file() else path for path in roots})
    known_gone = True  # nothing is lost where a folder was never there
    while not stop.is_set():
        watched = _identities(folders)
        if None in watched:
            if not known_gone:
                yield
            known_gone = True
            stop.wait(_LOOK)
            continue
        last, known_gone = 0.0, False
        with suppress(FileNotFoundError):  # a folder is gone before it is watched
            for found in watchfiles.watch(
                *folders,
                watch_filter=lambda _, changed: _counts(Path(changed), roots, own),
                debounce=int(debounce * 1000),
                step=100,
                stop_event=stop,
                rust_timeout=int(_LOOK * 1000),
                yield_on_timeout=True,
                raise_interrupt=True,
                ignore_permission_denied=True,
            ):
                if found or not last or time.monotonic() - last > rescan:
                    last = time.monotonic()
                    yield
                # A folder that is made again soon may have the number of the one that is gone.
                gone = {Path(name) for kind, name in found if kind == watchfiles.Change.deleted}
                known_gone = bool(gone & set(folders))
                if known_gone or _identities(folders) != watched:
                    break


def _identities(folders: Sequence[Path]) -> list[tuple[int, int] | None]:
    """Device and inode of each folder; None for one that is gone."""
    found: list[tuple[int, int] | None] = []
    for folder in folders:
        try:
            status = folder.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_dev, status.st_ino))
    return found


def _counts(path: Path, roots: Sequence[Path], own: Sequence[Path]) -> bool:
    """Whether a change of this path may change what is read."""
    if any(path.is_relative_to(folder) for folder in own):
        return False
    for root in roots:
        if path.is_relative_to(root):
            hidden = [part for part in path.relative_to(root).parts if part.startswith(".")]
            return not hidden or (hidden == [path.name] and path.name in IGNORE_FILES)
    return False
