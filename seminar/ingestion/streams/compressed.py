"""Streams of files that may be compressed, with a limit on their expansion."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from seminar.errors import IngestionError
from seminar.regular_files import open_regular

RATIO_LIMIT = 100  # dumps shrink some four- to tenfold
FREE = 50_000_000  # unpacked bytes before the ratio counts


def _gunzipped(packed: BinaryIO) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=packed)


_OPENERS: dict[str, Callable[[BinaryIO], bz2.BZ2File | gzip.GzipFile]] = {
    ".bz2": bz2.BZ2File,
    ".gz": _gunzipped,
}
SUFFIXES = frozenset(_OPENERS)


@contextmanager
def open_stream(path: Path) -> Iterator[io.BufferedReader]:
    """The content of a file, unpacked if its suffix is of a compressed one.

    Of a truncated file `read1` gives all that can be unpacked; `read` may lose its last chunk.
    """
    opener = _OPENERS.get(path.suffix.lower())
    with open_regular(path) as content:
        if opener is None:
            yield content
            return
        limit = FREE + os.fstat(content.fileno()).st_size * RATIO_LIMIT
        with opener(content) as unpacked:
            yield io.BufferedReader(_Bounded(unpacked, limit), 1 << 18)


class _Bounded(io.RawIOBase):
    """An unpacked stream with a limit on its size."""

    def __init__(self, stream: bz2.BZ2File | gzip.GzipFile, limit: int) -> None:
        super().__init__()
        self._stream = stream
        self._left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        try:
            content = self._stream.read1(len(view))
        except EOFError:
            raise IngestionError("cut off: its compressed content ends too early") from None
        except (OSError, zlib.error):
            raise IngestionError("damaged: it can't be unpacked") from None
        self._left -= len(content)
        if self._left < 0:
            raise IngestionError(f"expands more than {RATIO_LIMIT}-fold when unpacked; refused")
        view[: len(content)] = content
        return len(content)
