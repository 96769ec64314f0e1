"""Watching real folders with the real library; an update is a function that a test writes down."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue

import pytest

from seminar.errors import IndexBusyError, IngestionError
from seminar.indexing import Outcome
from seminar.watching import changes, keep_fresh

SECONDS = 20  # to wait for what must come
SOON = 0.5  # to wait for what must not come


@dataclass
class Watcher:
    """What a watching thread has noticed."""

    seen: Queue[None] = field(default_factory=Queue)

    def wait(self) -> None:
        self.seen.get(timeout=SECONDS)

    def is_quiet(self) -> bool:
        try:
            self.seen.get(timeout=SOON)
        except Empty:
            return True
        return False


@contextmanager
def watching(*paths: Path, ignored: tuple[Path, ...] = ()) -> Iterator[Watcher]:
    watcher, stop = Watcher(), threading.Event()

    def run() -> None:
        for item in changes(paths, stop=stop, ignored=ignored, debounce=0.1):
            watcher.seen.put(item)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        watcher.wait()  # for the beginning
        yield watcher
    finally:
        stop.set()
        thread.join()


def test_new_changed_and_deleted_files_are_noticed(tmp_path: Path):
    with watching(tmp_path) as watcher:
        file = tmp_path / "inner" / "a.md"
        file.parent.mkdir()
        watcher.wait()
        file.write_text("It leaves at nine.")
        watcher.wait()
        assert watcher.is_quiet()
        file.unlink()
        watcher.wait()


def test_hidden_files_and_the_index_itself_do_not_count(tmp_path: Path):
    index = tmp_path / "index"
    index.mkdir()
    (tmp_path / ".git").mkdir()
    with watching(tmp_path, ignored=(index,)) as watcher:
        (index / "catalog.sqlite").write_text("x")
        (tmp_path / ".git" / "HEAD").write_text("x")
        (tmp_path / ".a.md.swp").write_text("x")
        assert watcher.is_quiet()
        (tmp_path / ".seminarignore").write_text("drafts/")
        watcher.wait()


def test_a_file_that_an_editor_replaces_is_still_watched(tmp_path: Path):
    file = tmp_path / "a.md"
    file.write_text("It leaves at nine.")
    with watching(file) as watcher:
        (tmp_path / "other.md").write_text("x")
        assert watcher.is_quiet()
        for text in ("It leaves at ten.", "It leaves at one."):
            (tmp_path / "new").write_text(text)
            (tmp_path / "new").rename(file)
            watcher.wait()
            assert watcher.is_quiet()


def test_a_folder_that_is_made_again_is_watched_again(tmp_path: Path):
    folder = tmp_path / "files"
    folder.mkdir()
    with watching(folder) as watcher:
        folder.rmdir()
        watcher.wait()
        folder.mkdir()
        watcher.wait()
        (folder / "a.md").write_text("It leaves at nine.")
        watcher.wait()


def kept_fresh(update: Callable[[], Outcome], items: int) -> tuple[list[int], list[str]]:
    """How many files each update read, and the errors that were reported."""
    read: list[int] = []
    errors: list[str] = []
    keep_fresh(
        update,
        [None] * items,
        updated=lambda outcome, _: read.append(outcome.read),
        failed=lambda error: errors.append(str(error)),
        stop=threading.Event(),
        retry=0.01,
    )
    return read, errors


def test_an_update_that_fails_is_reported_once_and_tried_again():
    busy = IndexBusyError("another process writes it")
    steps: Iterator[Outcome | Exception] = iter(
        [Outcome(1, 0, 0, ()), busy, busy, OSError("disk full"), Outcome(2, 0, 0, ())]
    )

    def update() -> Outcome:
        step = next(steps)
        if isinstance(step, Exception):
            raise step
        return step

    assert kept_fresh(update, items=2) == ([1, 2], ["another process writes it", "disk full"])


def test_a_first_update_that_fails_is_an_error():
    def update() -> Outcome:
        raise IngestionError("a: no such file or folder")

    with pytest.raises(IngestionError, match="no such file"):
        kept_fresh(update, items=1)
