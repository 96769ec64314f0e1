"""Child processes that look into untrusted files, with limits on memory and time."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from seminar.errors import IngestionError, UnreadableError
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.sandbox.wire import (
    DocumentReply,
    EndReply,
    FormatReply,
    LinksReply,
    NoticeReply,
    PassagesReply,
    Reply,
    Request,
    ThreadReply,
    decode_reply,
    encode,
    malformed,
)
from seminar.ingestion.streams.decoding import Notify
from seminar.types import Document, Passage, Thread

_SECRET = re.compile("key|token|secret|password", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a worker: bytes of address space, and seconds for each document or thread."""

    memory: int = 2 << 30
    seconds: float = 60.0


class Sandbox:
    """A pool of workers; one that dies fails only the file that it was reading, and is replaced."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[_Worker] = []

    def format_of(self, path: Path) -> str:
        """The name of the format that reads a file; raises IngestionError where none does."""
        replies = list(self._ask(Request("format", os.fsencode(path)), _ignore))
        if len(replies) != 1 or not isinstance(replies[0], FormatReply):
            raise malformed("not one format")
        return replies[0].content

    def links_of(self, path: Path, address: str) -> tuple[str, ...]:
        """The targets of the links in a file of HTML that was fetched from an address."""
        replies = list(self._ask(Request("links", os.fsencode(path), address), _ignore))
        if len(replies) != 1 or not isinstance(replies[0], LinksReply):
            raise malformed("no links")
        return replies[0].content

    def read(
        self, path: Path, source: str, notify: Notify, *, options: ReadOptions = DEFAULT_READING
    ) -> Iterator[Document | Thread]:
        """The documents or threads of a file, in order."""
        for reply in self._ask(Request("items", os.fsencode(path), source, options), notify):
            if not isinstance(reply, DocumentReply | ThreadReply):
                raise malformed("neither a document nor a thread")
            yield reply.content

    def read_passages(
        self, path: Path, source: str, notify: Notify, *, options: ReadOptions = DEFAULT_READING
    ) -> Iterator[Passage]:
        """The passages of a file, split by the worker, so that its core does that work as well."""
        for reply in self._ask(Request("passages", os.fsencode(path), source, options), notify):
            if not isinstance(reply, PassagesReply):
                raise malformed("no passages")
            yield from reply.content

    def _ask(self, request: Request, notify: Notify) -> Iterator[Reply]:
        worker = self._take()
        try:
            yield from worker.answer(request, notify)
        except _Finished as finished:
            self._idle.append(worker)
            if finished.end.error:
                kind = UnreadableError if finished.end.unreadable else IngestionError
                raise kind(finished.end.error) from None
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
    """The worker has finished a request, with or without an error."""

    def __init__(self, end: EndReply) -> None:
        super().__init__(end.error)
        self.end = end


class _Died(Exception):
    """The worker has exited."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True, eq=False)
class _Worker:
    """A child process that answers one request after another and keeps no state between them."""

    limits: Limits
    _process: subprocess.Popen[bytes] = field(init=False)
    _owner: int = field(init=False)
    _folder: TemporaryDirectory[str] = field(init=False)  # for what the worker unpacks

    def __post_init__(self) -> None:
        self._owner = os.getpid()
        self._folder = TemporaryDirectory(prefix="seminar-", ignore_cleanup_errors=True)
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
                **_without_secrets(os.environ),
                "PYTHONPATH": os.pathsep.join(sys.path),
                "OPENBLAS_NUM_THREADS": "1",
                "OMP_THREAD_LIMIT": "1",
                "TMPDIR": self._folder.name,
            },
        )

    def is_usable(self) -> bool:
        """Whether the process runs and is our own child; after a fork it is the parent's."""
        return self._owner == os.getpid() and self._process.poll() is None

    def answer(self, request: Request, notify: Notify) -> Iterator[Reply]:
        """The replies to a request; raises `_Finished` at their end, `_Died` if there is none."""
        line = encode(request)
        with contextlib.suppress(BrokenPipeError):
            _pipe(self._process.stdin).write(line)
            _pipe(self._process.stdin).flush()
        for line in _pipe(self._process.stdout):
            if not line.endswith(b"\n"):
                break
            reply = decode_reply(line)
            if isinstance(reply, EndReply):
                raise _Finished(reply)
            if isinstance(reply, NoticeReply):
                notify(reply.content)
            else:
                yield reply
        raise _Died(self._process.wait())

    def kill(self) -> None:
        """End the process at once."""
        if self._owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._folder.cleanup()
        # Closing flushes to a process that has exited.
        with contextlib.suppress(BrokenPipeError):
            _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()


def _without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without keys and passwords, which no reader of files needs."""
    return {name: value for name, value in environment.items() if not _SECRET.search(name)}


def _ignore(notice: str) -> None:
    """Drop a notice."""


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("the worker was started without pipes")
    return pipe


# Workers keep no state, so that all callers can share them; starting one takes longer than most
# files do.
SHARED = Sandbox()
atexit.register(SHARED.close)
