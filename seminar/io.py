"""Files on disk: atomic writes, JSON lines with errors that name file and line, content hashes."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

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


def content_hash(path: Path) -> str:
    """BLAKE2b (32 hexadecimal digits) of a file's content, read in pieces."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
