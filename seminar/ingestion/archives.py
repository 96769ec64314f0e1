"""Archives (zip, tar): unpacked within bounds to a folder of the sandbox, and read as one."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Protocol

from seminar.errors import IngestionError
from seminar.ingestion.discover import SourceFile, discover
from seminar.ingestion.streams.compressed import FREE, RATIO_LIMIT
from seminar.ingestion.streams.decoding import FILE_LIMIT, Notify
from seminar.ingestion.streams.packages import DAMAGE, ENTRY_LIMIT, UNPACKED_LIMIT
from seminar.ingestion.suffixes import NOT_DOCUMENTS
from seminar.regular_files import open_regular
from seminar.types import Document, Thread

DEPTH_LIMIT = 3  # archives within archives
_PARTS_LIMIT = 40  # folders within folders
_NAME_LIMIT = 255  # bytes, as file systems have it
_CHUNK = 1 << 18
_ENCRYPTED = 1  # a flag of an entry of a zip
_DAMAGE = (*DAMAGE, tarfile.TarError, RuntimeError)

Item = Document | Thread
# From path, source and notices to the items of a file inside.
ReadInside = Callable[[Path, str, Notify], Iterator[Item]]


class Formats(Protocol):
    """What tells the format of a file inside an archive, and reads it."""

    def format_of(self, path: Path) -> str: ...

    def read(self, path: Path, source: str, notify: Notify) -> Iterator[Item]: ...


@dataclass(slots=True)
class Bounds:
    """How many entries and bytes an archive, with all archives inside it, may still give."""

    entries: int = ENTRY_LIMIT
    bytes: int = UNPACKED_LIMIT
    depth: int = DEPTH_LIMIT

    def take(self, entries: int, size: int) -> None:
        """Count entries and bytes; raises IngestionError where there are too many."""
        self.entries -= entries
        self.bytes -= size
        if self.entries < 0:
            raise IngestionError(f"more than {ENTRY_LIMIT:,} entries; the others are left out")
        if self.bytes < 0:
            raise IngestionError(
                f"expands more than {RATIO_LIMIT}-fold, or to more than {UNPACKED_LIMIT:,} bytes; "
                "the rest is left out"
            )

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One archive further inside."""
        if self.depth == 0:
            raise IngestionError(f"an archive more than {DEPTH_LIMIT} archives deep")
        self.depth -= 1
        try:
            yield
        finally:
            self.depth += 1


def read(
    path: Path, source: str, notify: Notify, *, formats: Formats, bounds: Bounds
) -> Iterator[Item]:
    """The documents and threads of the files in an archive, cited as archive/file.

    What was unpacked before an error is read before it is raised.
    """
    with bounds.deeper(), TemporaryDirectory() as temporary:
        folder = Path(temporary) / "unpacked"
        folder.mkdir()
        unpacking = _Unpacking(folder, bounds)
        error = unpacking.unpack(path)
        for line in unpacking.left_out_lines():
            notify(line)
        found, problems = discover([folder], sandbox=formats)
        for problem in problems:
            inside = problem.source != folder.name
            notify(f"{problem.source}: {problem.reason}" if inside else problem.reason)
        for file in found:
            yield from _read_inside(file, source, notify, formats)
        if error or not found:
            raise IngestionError(error or "it holds no file that can be read")


def _read_inside(file: SourceFile, source: str, notify: Notify, formats: Formats) -> Iterator[Item]:
    """The items of a file inside; one that can't be read costs a line."""

    def note(reason: str) -> None:
        notify(f"{file.source}: {reason}")

    try:
        yield from formats.read(file.path, f"{source}/{file.source}", note)
    except IngestionError as error:
        note(str(error))
    except OSError as error:
        note(f"can't be read: {error.strerror}")


@dataclass(slots=True)
class _Unpacking:
    """Writes the entries of an archive below a folder: regular files with names that stay there."""

    folder: Path
    bounds: Bounds
    left_out: Counter[str] = field(default_factory=Counter)

    def unpack(self, path: Path) -> str:
        """Unpack an archive, and return why it could be done only in part, or an empty text."""
        try:
            with open_regular(path) as content:
                size = path.stat().st_size
                self.bounds.bytes = min(self.bounds.bytes, FREE + size * RATIO_LIMIT)
                if size > 10 * FILE_LIMIT:
                    raise IngestionError(f"more than {10 * FILE_LIMIT:,} bytes")
                if zipfile.is_zipfile(content):
                    self._unpack_zip(content)
                else:
                    content.seek(0)
                    self._unpack_tar(content)
        except IngestionError as error:
            return str(error)
        except _DAMAGE:
            return "damaged, or neither a zip nor a tar"
        return ""

    def _unpack_zip(self, content: IO[bytes]) -> None:
        with zipfile.ZipFile(content) as archive:
            for entry in archive.infolist():
                self.bounds.take(1, 0)
                mode = entry.external_attr >> 16
                if entry.is_dir():
                    continue
                if entry.flag_bits & _ENCRYPTED:
                    self.left_out["encrypted"] += 1
                elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                    self.left_out["links or devices"] += 1
                elif self._is_document(entry.filename):
                    with archive.open(entry) as stream:
                        self._write(entry.filename.replace("\\", "/"), stream)

    def _unpack_tar(self, content: IO[bytes]) -> None:
        # A stream is never read twice, and headers are read where they stand.
        with tarfile.open(fileobj=content, mode="r|*", errorlevel=1) as archive:
            for entry in archive:
                self.bounds.take(1, 0)
                if entry.isreg() and not entry.issparse():
                    stream = archive.extractfile(entry)
                    if stream is not None and self._is_document(entry.name):
                        self._write(entry.name, stream)
                        continue
                elif not entry.isdir():
                    self.left_out["links or devices"] += 1
                self.bounds.take(0, entry.size)  # which is unpacked to get to the next

    def _is_document(self, name: str) -> bool:
        is_document = PurePosixPath(name).suffix.lower() not in NOT_DOCUMENTS
        self.left_out["not documents"] += not is_document
        return is_document

    def _write(self, name: str, stream: IO[bytes]) -> None:
        target = self._target(name)
        try:
            if target is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
            file = None if target is None else target.open("xb")
        except (OSError, ValueError):  # the name of a folder, or of an earlier file
            target, file = None, None
        if file is None:
            self.left_out["names that lead out of it or can't be used"] += 1
            return
        with file:
            while chunk := stream.read(_CHUNK):
                self.bounds.take(0, len(chunk))
                file.write(chunk)

    def _target(self, name: str) -> Path | None:
        """The path of an entry below the folder; None for a name that leads elsewhere."""
        if name.startswith("/") or "\0" in name or ":" in name.split("/")[0][1:2]:
            return None
        parts = PurePosixPath(name).parts
        too_long = any(len(part.encode(errors="replace")) > _NAME_LIMIT for part in parts)
        if not parts or ".." in parts or too_long or len(parts) > _PARTS_LIMIT:
            return None
        return self.folder.joinpath(*parts)

    def left_out_lines(self) -> list[str]:
        """A line for each reason for which entries were left out."""
        return [
            f"{count} {'entry' if count == 1 else 'entries'} left out: {reason}"
            for reason, count in sorted(self.left_out.items())
            if count
        ]
