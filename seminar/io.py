"""Files: atomic writes, JSON lines with errors that name their line, hashes, reading ahead."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from seminar.errors import SeminarError

_CHUNK = 1 << 20


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that a reader, or a crash, sees the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner reads; keep what was there, or the usual.
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json_lines(
    path: Path, *, error: type[SeminarError] = SeminarError
) -> Iterator[dict[str, object]]:
    """The objects of a JSON-lines file; blank lines are passed over."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield _parse_object(line, f"{path.name}:{number}", error)


def _parse_object(line: bytes, place: str, error: type[SeminarError]) -> dict[str, object]:
    try:
        record = json.loads(line)
    except RecursionError:
        raise error(f"{place}: JSON nested too deeply") from None
    except UnicodeDecodeError:
        raise error(f"{place}: not UTF-8") from None
    except ValueError as problem:
        raise error(f"{place}: not JSON: {problem}") from None
    if not isinstance(record, dict):
        raise error(f"{place}: expected a JSON object, found {type(record).__name__}")
    return record


def write_json_lines(path: Path, records: Iterable[dict[str, object]]) -> None:
    """Write one JSON object a line, atomically."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    write_atomic(path, "".join(lines).encode())


def read_bounded(path: Path, limit: int) -> bytes | None:
    """A file's content, or None where it holds more than `limit` bytes."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > limit:
            return None
        content = file.read(limit + 1)  # it may grow while it is read
    return None if len(content) > limit else content


def content_hash(*paths: Path) -> str:
    """BLAKE2b (32 hexadecimal digits) of a file's content, or of several names and contents."""
    if len(paths) > 1:
        each = [f"{path.parent.name}/{path.name}\0{content_hash(path)}" for path in paths]
        return hashlib.blake2b("\n".join(each).encode(errors="replace"), digest_size=16).hexdigest()
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


_Item = TypeVar("_Item")


@contextmanager
def ahead(items: Iterable[_Item], *, size: int) -> Iterator[Iterator[_Item]]:
    """The same items, made by a thread that runs at most `size` of them ahead of their use.

    An error of the making is raised where the item would have come; leaving ends the thread.
    """
    made: queue.Queue[tuple[bool, _Item | BaseException | None]] = queue.Queue(size)
    left = threading.Event()

    def make() -> None:
        last: BaseException | None = None
        try:
            for item in items:
                made.put((True, item))
                if left.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - it is raised again by the one who takes
            last = error
        made.put((False, last))

    def take() -> Iterator[_Item]:
        while True:
            is_item, content = made.get()
            if is_item:
                yield content  # type: ignore[misc]
            elif isinstance(content, BaseException):
                raise content
            else:
                return

    thread = threading.Thread(target=make, daemon=True)
    thread.start()
    try:
        yield take()
    finally:
        left.set()
        while thread.is_alive():
            _empty(made)
            thread.join(timeout=0.05)


def _empty(made: queue.Queue[tuple[bool, _Item | BaseException | None]]) -> None:
    """Make room, so that a thread that waits to put an item goes on and sees that it is over."""
    try:
        while True:
            made.get_nowait()
    except queue.Empty:
        return
