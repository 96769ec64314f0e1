"""The files of an index's table: listed without following links, and checked for damage."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from seminar.errors import IndexDamagedError
from seminar.regular_files import kind_of, open_regular

CHECKED_BYTES = 1_000_000_000  # read at opening, which takes some 0.2 s; `doctor` reads all
_CHUNK = 1 << 20
_REWRITTEN = "latest_version_hint.json"  # a hint of the library, which opens versions by number


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of the table as it was written; the library never changes one."""

    name: str
    size: int
    crc: int


def table_file(root: Path, path: Path) -> TableFile:
    """The size and checksum of a file below the root of a table."""
    crc = size = 0
    with open_regular(path) as file:
        while chunk := file.read(_CHUNK):
            crc = zlib.crc32(chunk, crc)
            size += len(chunk)
    return TableFile(path.relative_to(root).as_posix(), size, crc)


def listed(root: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Every file below the root of a table that is written once; links are errors."""
    if root.is_symlink():
        raise damaged(root, f"{root.name} is a link")
    pending = [root]
    while pending:
        folder = pending.pop()
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                pending.append(Path(entry.path))
            elif entry.name == _REWRITTEN and stat.S_ISREG(status.st_mode):
                continue
            elif stat.S_ISREG(status.st_mode):
                yield Path(entry.path), status
            else:
                kind = kind_of(status.st_mode)
                raise damaged(root, f"{entry.name} is no regular file ({kind})")


def faults(root: Path, known: Mapping[str, TableFile], *, limit: int | None = None) -> list[str]:
    """The files that differ from what was written, and why.

    A file that is missing may have been cleaned up: the library says where it needs one. Of a table
    above `limit` bytes only the sizes are compared.
    """
    sizes = {path.relative_to(root).as_posix(): status.st_size for path, status in listed(root)}
    there = [file for file in known.values() if file.name in sizes]
    wrong = [f"{file.name}: size" for file in there if sizes[file.name] != file.size]
    if limit is None or sum(file.size for file in there) <= limit:
        wrong += [f"{file.name}: content" for file in there if _differs(root, file, sizes)]
    return wrong


def _differs(root: Path, file: TableFile, sizes: Mapping[str, int]) -> bool:
    try:
        return sizes[file.name] == file.size and table_file(root, root / file.name) != file
    except FileNotFoundError:  # a writer cleaned up
        return False


def new_files(root: Path, known: Mapping[str, TableFile]) -> list[TableFile]:
    """The files of a table that are not known yet, with their checksums.

    They are told by name and size, not by their times: clocks are set.
    """
    return [
        table_file(root, path)
        for path, status in listed(root)
        if (file := known.get(path.relative_to(root).as_posix())) is None
        or file.size != status.st_size
    ]


def check(root: Path, known: Callable[[], Mapping[str, TableFile]]) -> None:
    """Raise IndexDamagedError where files of a table are not as they were written."""
    try:
        wrong = faults(root, known(), limit=CHECKED_BYTES)
    except OSError as error:
        raise damaged(root, f"{root.name} can't be read: {error.strerror}") from error
    if wrong:
        raise damaged(root, f"not as it was written: {_some(wrong)}")


def damaged(root: Path, reason: str) -> IndexDamagedError:
    """The error for a table that is not as Seminar left it."""
    return IndexDamagedError(
        f"the index in {root.parent} is damaged ({reason}). "
        f"Check and repair it: seminar doctor --repair {root.parent}"
    )


def _some(reasons: Iterable[str]) -> str:
    first, *more = reasons
    return f"{first}, and {len(more)} more" if more else first
