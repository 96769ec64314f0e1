"""The write lock of an index, which the operating system releases when its holder dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from seminar.errors import IndexBusyError, IndexStoreError

LOCK_FILE = "writer.lock"
HOLDER_FILE = "writer.pid"


@contextmanager
def writing(folder: Path, *, timeout: float) -> Iterator[None]:
    """Hold the write lock of an index, waiting at most `timeout` seconds for it."""
    holder = folder / HOLDER_FILE  # not in the lock file, which every waiter truncates
    lock = FileLock(folder / LOCK_FILE)
    try:
        lock.acquire(timeout=timeout)
        holder.write_text(str(os.getpid()), encoding="utf-8")
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


def _busy(folder: Path, holder: Path, timeout: float) -> str:
    try:
        process = f"process {int(holder.read_text(encoding='utf-8'))}"
    except (OSError, ValueError):
        process = "another process"
    return (
        f"the index in {folder} is being written by {process}; gave up after {timeout:g} s. "
        "Wait until it is done, or stop it"
    )
