"""The files of a collection: those on disk, those in the index, and both together."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.retrieval.file_index import FileRecord
from seminar.serving.collections.paths import inside, safe_path
from seminar.serving.problems import not_found

Fingerprint = frozenset[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file, or a folder that is read as one; `problem` is why it was not read in full."""

    path: str
    size: int | None
    passages: int
    problem: str | None


def walk(root: Path) -> Iterator[os.DirEntry[str]]:
    """The regular files below a folder; links are not followed."""
    pending = [root]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:  # removed meanwhile
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield entry


def fingerprint(root: Path) -> Fingerprint:
    """The names, sizes and times of all files: another one means that something has changed."""
    if root.is_file():
        stat = root.stat()
        return frozenset({(str(root), stat.st_size, stat.st_mtime_ns)})
    return frozenset(_known_states(root))


def _known_states(root: Path) -> Iterator[tuple[str, int, int]]:
    for entry in walk(root):
        try:
            stat = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        yield entry.path, stat.st_size, stat.st_mtime_ns


def size_of(root: Path) -> int:
    """The bytes of all files below a folder."""
    return sum(size for _, size, _ in fingerprint(root))


def list_files(
    root: Path, indexed: Mapping[str, FileRecord], not_read: Sequence[Mapping[str, str]]
) -> list[ListedFile]:
    """Every file with its passages, sorted; what lies in a folder read as one counts for that."""
    sizes = _sizes(root, indexed)
    problems = {one["source"]: one["reason"] for one in not_read}
    names = sorted({*sizes, *indexed, *problems})
    none = FileRecord("", "")
    return [
        ListedFile(
            name,
            sizes.get(name),
            indexed.get(name, none).passages,
            indexed.get(name, none).problem or problems.get(name),
        )
        for name in names
    ]


def _sizes(root: Path, indexed: Mapping[str, FileRecord]) -> dict[str, int]:
    """The size of each file, and of each folder that the index reads as one."""
    sizes: dict[str, int] = {}
    if root.is_file():
        return {root.name: root.stat().st_size}
    for path, size, _ in fingerprint(root):
        name = Path(path).relative_to(root)
        whole = next((str(one) for one in name.parents if str(one) in indexed), str(name))
        sizes[whole] = sizes.get(whole, 0) + size
    return sizes


def remove_file(root: Path, name: str) -> int:
    """Remove a file, or a folder with all its files, and return how many bytes those were."""
    path = inside(root, safe_path(name))
    if path.is_dir():
        size = size_of(path)
        shutil.rmtree(path)
    elif path.is_file():
        size = path.stat().st_size
        path.unlink()
    else:
        raise not_found("file", name)
    _remove_empty_folders(path.parent, root)
    return size


def _remove_empty_folders(folder: Path, root: Path) -> None:
    while folder != root and folder.is_relative_to(root):
        try:
            folder.rmdir()
        except OSError:  # not empty
            return
        folder = folder.parent
