"""The shared lock of all who have an index open, by which a writer sees that nobody has.

The operating system releases it when its holder dies.
"""

from __future__ import annotations

import fcntl
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seminar.errors import IndexStoreError
from seminar.index_marker import READERS
from seminar.regular_files import open_regular


class Readers:
    """Holds the lock for one who has the index open, as long as this object lives.

    Indexes of format 5 and earlier have none, so that nobody is ever seen to be alone.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _opened(folder / READERS)
        if self._file is not None:
            weakref.finalize(self, os.close, self._file)
            _lock(self._file, fcntl.LOCK_SH)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Whether nobody else has the index open; who opens it now waits until the end."""
        is_alone = self._file is not None and _lock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield is_alone
        finally:
            if self._file is not None:  # an attempt that failed has released the lock, too
                _lock(self._file, fcntl.LOCK_SH)


def _opened(path: Path) -> int | None:
    try:
        with open_regular(path) as file:
            return os.dup(file.fileno())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise IndexStoreError(
            f"cannot open {path}: {error.strerror}. Check the permissions of the index"
        ) from error


def _lock(file: int, kind: int) -> bool:
    """Lock a file; file systems without locks say that somebody else has it."""
    try:
        fcntl.flock(file, kind)
    except OSError:
        return False
    return True
