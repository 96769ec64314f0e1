"""The child process of the sandbox: requests come in on stdin, what was read goes out on stdout."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from seminar.errors import IngestionError
from seminar.ingestion.formats import BY_NAME
from seminar.ingestion.sandbox.wire import pack_item, pack_passage
from seminar.ingestion.segments import split_item
from seminar.types import Document, Thread

SURVEY_RATE = 1_000_000  # bytes a second that a look at a whole file may take
Item = Document | Thread


def _pack_passages(item: Item) -> object:
    return [pack_passage(passage) for passage in split_item(item)]


# What may be asked for, and how each document or thread is packed for it.
PACKING: dict[str, Callable[[Item], object]] = {
    "items": pack_item,
    "passages": _pack_passages,
}


def serve(requests: BinaryIO, replies: BinaryIO, seconds: float) -> None:
    """Read one file for each request, until the requests end."""
    for line in requests:
        wanted, format_name, path, source = json.loads(line)
        _Reading(replies, seconds, PACKING[wanted]).read(format_name, Path(path), source)


class _Reading:
    """One file's reading: the clock runs while a document is read, not while it is sent."""

    def __init__(self, replies: BinaryIO, seconds: float, pack: Callable[[Item], object]) -> None:
        self._replies = replies
        self._seconds = seconds
        self._pack = pack

    def read(self, format_name: str, path: Path, source: str) -> None:
        error = ""
        form = BY_NAME[format_name]
        more = _size(path) / SURVEY_RATE if form.surveys else 0.0
        signal.setitimer(signal.ITIMER_REAL, self._seconds + more)
        try:
            for item in form.read(path, source, self._notify):
                self._send("content", self._pack(item))
        except IngestionError as problem:
            error = str(problem)
        except OSError as problem:
            error = f"can't be read: {problem.strerror or problem}"
        except RecursionError:
            error = "nested too deeply"
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._send("end", error)
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _notify(self, notice: str) -> None:
        self._send("notice", notice)

    def _send(self, kind: str, content: object) -> None:
        message = json.dumps((kind, content)).encode() + b"\n"
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._replies.write(message)
        self._replies.flush()
        signal.setitimer(signal.ITIMER_REAL, self._seconds)


def _size(path: Path) -> int:
    """How many bytes a file has, or all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def main(arguments: list[str]) -> None:
    """Take the limits, then serve; the default action of the alarm ends the process."""
    memory, seconds = int(arguments[0]), float(arguments[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not mix with the replies
    serve(sys.stdin.buffer, replies, seconds)


if __name__ == "__main__":
    main(sys.argv[1:])
