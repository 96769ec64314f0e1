"""Readers of hostile files in a process of their own, with a limit on memory and on time."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from seminar.errors import IngestionError
from seminar.ingestion.sandbox.wire import unpack_item, unpack_passage
from seminar.ingestion.streams.decoding import Notify
from seminar.types import Document, Passage, Thread

_SECRET = re.compile("key|token|secret|password", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reader may use: address space, and seconds for each document or thread."""

    memory: int = 2 << 30
    seconds: float = 60.0


class Sandbox:
    """Workers that read files; one that dies takes only its file with it, and is replaced."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[_Worker] = []

    def read(
        self, format_name: str, path: Path, source: str, notify: Notify
    ) -> Iterator[Document | Thread]:
        """The documents or threads that the format's reader finds, as they come."""
        for content in self._ask(["items", format_name, str(path), source], notify):
            yield unpack_item(content)

    def read_passages(
        self, format_name: str, path: Path, source: str, notify: Notify
    ) -> Iterator[Passage]:
        """Their passages, split by the worker, so that its core does that work as well."""
        for content in self._ask(["passages", format_name, str(path), source], notify):
            yield from map(unpack_passage, content)

    def _ask(self, request: list[str], notify: Notify) -> Iterator[Any]:
        worker = self._take()
        try:
            yield from worker.answer(request, notify)
        except _Finished as finished:
            self._idle.append(worker)
            if finished.error:
                raise IngestionError(finished.error) from None
        except _Died as death:
            raise IngestionError(self._explain(death.code)) from None
        finally:
            if worker not in self._idle:
                worker.kill()

    def close(self) -> None:
        """End the idle workers."""
        while self._idle:
            self._idle.pop().kill()

    def _take(self) -> _Worker:
        # Threads share the idle workers: asking whether there is one and taking it is one step.
        while True:
            try:
                worker = self._idle.pop()
            except IndexError:
                return _Worker(self.limits)
            if worker.is_usable():
                return worker
            worker.kill()

    def _explain(self, code: int) -> str:
        if code == -signal.SIGALRM:
            return f"took longer than {self.limits.seconds:g} s to read"
        megabytes = self.limits.memory >> 20
        return (
            f"its reader crashed, or needed more than {megabytes} MB of memory (exit code {code})"
        )


class _Finished(Exception):
    """The worker is done with a file, well or with an error."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


class _Died(Exception):
    """The worker is gone."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True, eq=False)
class _Worker:
    """One child process that reads files one after another and remembers nothing between them."""

    limits: Limits
    _process: subprocess.Popen[bytes] = field(init=False)
    _owner: int = field(init=False)

    def __post_init__(self) -> None:
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "seminar.ingestion.sandbox.worker",
                str(self.limits.memory),
                str(self.limits.seconds),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # One thread: each of a numeric library's threads would reserve address space.
            env={
                **_harmless(os.environ),
                "PYTHONPATH": os.pathsep.join(sys.path),
                "OPENBLAS_NUM_THREADS": "1",
            },
        )

    def is_usable(self) -> bool:
        """Whether it lives and is ours; after a fork it is the parent's."""
        return self._owner == os.getpid() and self._process.poll() is None

    def answer(self, request: list[str], notify: Notify) -> Iterator[Any]:
        """Yield what it sends, packed, until it says that it finished, or dies."""
        with contextlib.suppress(BrokenPipeError):
            _pipe(self._process.stdin).write(json.dumps(request).encode() + b"\n")
            _pipe(self._process.stdin).flush()
        for line in _pipe(self._process.stdout):
            if not line.endswith(b"\n"):
                break
            kind, content = json.loads(line)
            if kind == "content":
                yield content
            elif kind == "notice":
                notify(content)
            else:
                raise _Finished(content)
        raise _Died(self._process.wait())

    def kill(self) -> None:
        """End the process at once."""
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
        # Closing flushes, and what is left to flush goes to a process that is gone.
        with contextlib.suppress(BrokenPipeError):
            _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()


def _harmless(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without keys and passwords, which no reader of files needs."""
    return {name: value for name, value in environment.items() if not _SECRET.search(name)}


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("the worker was started without pipes")
    return pipe


# Workers remember nothing, so that all who read may share them; starting one takes longer than
# most files do.
SHARED = Sandbox()
atexit.register(SHARED.close)
