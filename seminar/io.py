"""File access: atomic writes, JSON lines, content hashes, producing ahead in threads."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import tempfile
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

from seminar.errors import SeminarError
from seminar.regular_files import open_regular

_CHUNK = 1 << 20


def write_atomic(path: Path, content: bytes) -> None:
    """Write a file so that readers and crashes never see a part of the new content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp lets only the owner read; keep the former mode, or use the usual one.
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def make_private(path: Path) -> None:
    """Create an empty file that only its owner may read, or make an existing one so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    path.chmod(0o600)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json_lines(
    path: Path, *, error: type[SeminarError] = SeminarError
) -> Iterator[dict[str, object]]:
    """The objects of a JSON-lines file; blank lines are skipped."""
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
    """Write one JSON object per line, atomically."""
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    write_atomic(path, "".join(lines).encode())


def read_bounded(path: Path, limit: int, *, follow: bool = False) -> bytes | None:
    """A regular file's content, or None if it has more than `limit` bytes."""
    with open_regular(path, follow=follow) as file:
        if os.fstat(file.fileno()).st_size > limit:
            return None
        content = file.read(limit + 1)  # it may grow while it is read
    return None if len(content) > limit else content


def content_hash(*paths: Path, follow: bool = True) -> str:
    """BLAKE2b (32 hexadecimal digits) of a file's content, or of several names and contents."""
    if len(paths) > 1:
        each = [
            f"{path.parent.name}/{path.name}\0{content_hash(path, follow=follow)}" for path in paths
        ]
        return hashlib.blake2b("\n".join(each).encode(errors="replace"), digest_size=16).hexdigest()
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with open_regular(path, follow=follow) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


_Item = TypeVar("_Item")
_Produced = queue.Queue[tuple[bool, _Item | BaseException | None]]


@contextmanager
def ahead(
    sources: Iterable[Iterable[_Item]], *, at_once: int, size: int
) -> Iterator[Iterator[_Item]]:
    """Produce the items of all sources in threads, that many sources at once, in their order.

    At most `size` sources are begun before they are used, and each runs at most two items ahead.
    An error of a source is raised at its item's place; leaving the context ends the threads.
    """
    left = threading.Event()
    pool = ThreadPoolExecutor(at_once)
    begun: deque[_Produced[_Item]] = deque()

    def begin(source: Iterable[_Item]) -> None:
        produced: _Produced[_Item] = queue.Queue(2)
        begun.append(produced)
        pool.submit(_produce, source, produced, left)

    def take() -> Iterator[_Item]:
        remaining = iter(sources)
        for source in islice(remaining, size):
            begin(source)
        while begun:
            yield from _taken(begun[0])
            begun.popleft()
            for source in islice(remaining, 1):
                begin(source)

    try:
        yield take()
    finally:
        left.set()
        pool.shutdown(cancel_futures=True)


def _produce(source: Iterable[_Item], produced: _Produced[_Item], left: threading.Event) -> None:
    last: BaseException | None = None
    try:
        for item in source:
            if not _put(produced, (True, item), left):
                return
    except BaseException as error:  # noqa: BLE001 - raised again in the consumer
        last = error
    _put(produced, (False, last), left)


def _put(
    produced: _Produced[_Item],
    item: tuple[bool, _Item | BaseException | None],
    left: threading.Event,
) -> bool:
    """Put an item where it is waited for; False if nobody waits any longer."""
    while not left.is_set():
        try:
            produced.put(item, timeout=0.05)
        except queue.Full:
            continue
        return True
    return False


def _taken(produced: _Produced[_Item]) -> Iterator[_Item]:
    while True:
        is_item, content = produced.get()
        if is_item:
            yield content  # type: ignore[misc]
        elif isinstance(content, BaseException):
            raise content
        else:
            return
