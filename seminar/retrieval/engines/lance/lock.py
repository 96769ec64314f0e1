"""The write lock of an index, which the operating system releases when its holder dies."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from seminar.errors import IndexBusyError, IndexStoreError
from seminar.index_marker import HOLDER, LOCK
from seminar.regular_files import is_regular, open_regular


@contextmanager
def writing(folder: Path, *, timeout: float) -> Iterator[None]:
    """Hold the write lock of an index, waiting at most `timeout` seconds for it."""
    holder = folder / HOLDER  # not in the lock file, which every waiter truncates
    lock = FileLock(folder / LOCK)
    try:
        _check_lock(folder / LOCK)
        lock.acquire(timeout=timeout)
        _write_holder(holder)
    except Timeout as error:
        raise IndexBusyError(_busy(folder, holder, timeout)) from error
    except OSError as error:
        lock.release()
        raise IndexStoreError(
            f"cannot write to the index in {folder}: {error.strerror}. "
            "Check the folder's permissions and free space"
        ) from error
    try:
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _check_lock(path: Path) -> None:
    """Refuse a link or a device in the place of the lock file, which would be opened to write."""
    if path.is_symlink() or (path.exists() and not is_regular(path)):
        raise OSError(errno.EINVAL, f"{path.name} is not a regular file")


def _write_holder(path: Path) -> None:
    """Write the process's number to a new file, so that no link in its place is followed."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))


def _busy(folder: Path, holder: Path, timeout: float) -> str:
    try:
        with open_regular(holder) as file:
            process = f"process {int(file.read(20))}"
    except (OSError, ValueError):
        process = "another process"
    return (
        f"the index in {folder} is being written by {process}; gave up after {timeout:g} s. "
        "Wait until it is done, or stop it"
    )
