"""A worker of the sandbox as its parent sees it: untrusted, bounded in time and in what it says."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from seminar.ingestion.sandbox.bounds import Bounds, size_of
from seminar.ingestion.sandbox.wire import (
    EndReply,
    NoticeReply,
    Reply,
    Request,
    decode_reply,
    encode,
    malformed,
)
from seminar.ingestion.streams.decoding import Notify

GRACE = 30.0  # seconds for a worker to start, and to end by itself at its limit
LINE_BYTES = 512_000_000  # of one reply; a document has at most 100,000,000 bytes
REPLY_BYTES = 4  # times the characters that a file may give
_CHUNK = 1 << 18
# All that a reader needs: how to find programs and libraries, and the user's language and time.
_ENVIRONMENT = frozenset(
    "PATH LANG LANGUAGE TZ LD_LIBRARY_PATH DYLD_LIBRARY_PATH TESSDATA_PREFIX HF_HUB_OFFLINE "
    "SYSTEMROOT PYTHONHASHSEED COVERAGE_PROCESS_START".split()
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a worker: bytes of address space, and seconds for each document or thread."""

    memory: int = 2 << 30
    seconds: float = 60.0


class Finished(Exception):
    """The worker has finished a request, with or without an error."""

    def __init__(self, end: EndReply) -> None:
        super().__init__(end.error)
        self.end = end


class Died(Exception):
    """The worker has exited."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class TookTooLong(Exception):
    """The worker has said nothing for as long as its file may take in all."""


@dataclass(slots=True, eq=False)
class Worker:
    """A child process that answers one request after another and keeps no state between them.

    With `programs` it may start others, as recognising text in images needs.
    """

    limits: Limits
    programs: bool = False
    _process: subprocess.Popen[bytes] = field(init=False)
    _folder: Path = field(init=False)
    _owner: int = field(init=False)

    def __post_init__(self) -> None:
        self._owner = os.getpid()
        self._folder = Path(tempfile.mkdtemp(prefix="seminar-"))  # the only one it may write to
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "seminar.ingestion.sandbox.worker",
                str(self.limits.memory),
                str(self.limits.seconds),
                str(self._folder),
                "programs" if self.programs else "alone",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=environment(os.environ, self._folder),
        )

    def is_usable(self) -> bool:
        """Whether the process runs and is our own child; after a fork it is the parent's."""
        return self._owner == os.getpid() and self._process.poll() is None

    def answer(self, request: Request, notify: Notify) -> Iterator[Reply]:
        """The replies to a request; raises `Finished` at their end, `Died` if there is none."""
        size = size_of(request.path)
        bounds = Bounds.of(size, self.limits.seconds, ocr=bool(request.options.ocr))
        with contextlib.suppress(BrokenPipeError):
            _pipe(self._process.stdin).write(encode(request))
        for line in self._lines(bounds):
            reply = decode_reply(line)
            if isinstance(reply, EndReply):
                raise Finished(reply)
            if isinstance(reply, NoticeReply):
                notify(reply.content)
            else:
                yield reply
        raise Died(self._process.wait())

    def _lines(self, bounds: Bounds) -> Iterator[bytes]:
        """The lines that the worker writes, until it exits; only waiting for it counts."""
        output = _pipe(self._process.stdout)
        waiting = select.poll()
        waiting.register(output, select.POLLIN)
        left = bounds.seconds + GRACE
        parts: list[bytes] = []
        held = given = 0
        while True:
            begun = time.monotonic()
            if not waiting.poll(left * 1_000):
                raise TookTooLong
            left = max(0.0, left - (time.monotonic() - begun))
            chunk = os.read(output.fileno(), _CHUNK)
            if not chunk:
                return
            given += len(chunk)
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                yield b"".join([*parts, line])
                parts, held = [], 0
            parts.append(rest)
            held += len(rest)
            if held > LINE_BYTES or given > bounds.characters * REPLY_BYTES:
                raise malformed("more than a file of this size can give")

    def kill(self) -> None:
        """End the process at once, and remove what it has written."""
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)
        for pipe in (self._process.stdin, self._process.stdout):
            _pipe(pipe).close()


def environment(own: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The variables that a worker gets: those that reading needs, and no others."""
    kept = {key: own[key] for key in own if key in _ENVIRONMENT or key.startswith("LC_")}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(folder),
        "HOME": str(folder),
        # One thread: each of a numeric library's threads would reserve address space.
        "OPENBLAS_NUM_THREADS": "1",
    }


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("the worker was started without pipes")
    return pipe
