"""Opening regular files and nothing else: no pipe without end, no device, no link elsewhere."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

# A pipe that somebody puts in the file's place is opened without waiting for its writer.
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = {
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
}


def open_regular(path: Path, *, follow: bool = False) -> BufferedReader:
    """Open a regular file for reading; anything else is an OSError that names its kind.

    Links are opened only to `follow` them. The kind is looked at first, since opening a device can
    have effects, and again when the file is open, since it may have been replaced.
    """
    _check(path.stat(follow_symlinks=follow), path)
    descriptor = os.open(path, _FLAGS if follow else _FLAGS | os.O_NOFOLLOW)
    try:
        _check(os.fstat(descriptor), path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def is_regular(path: Path) -> bool:
    """Whether a path is a regular file, not a link to one; False for what can't be seen."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def kind_of(mode: int) -> str:
    """The name of what is not a regular file.

    >>> kind_of(stat.S_IFIFO | 0o644), kind_of(stat.S_IFBLK)
    ('named pipe', 'device')
    """
    return _KINDS.get(stat.S_IFMT(mode), "device")


def _check(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        reason = f"not a regular file ({kind_of(status.st_mode)})"
        raise OSError(errno.EINVAL, reason, str(path))
