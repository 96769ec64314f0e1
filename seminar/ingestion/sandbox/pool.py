"""Child processes that look into untrusted files, with limits on memory and time."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from seminar.errors import IngestionError, UnreadableError
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.sandbox.processes import Died, Finished, Limits, TookTooLong, Worker
from seminar.ingestion.sandbox.wire import (
    DocumentReply,
    FormatReply,
    LinksReply,
    PassagesReply,
    Reply,
    Request,
    ThreadReply,
    malformed,
)
from seminar.ingestion.streams.decoding import Notify
from seminar.types import Document, Passage, Thread


class Sandbox:
    """A pool of workers; one that dies fails only the file that it was reading, and is replaced."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._idle: list[Worker] = []
        self._idle_with_programs: list[Worker] = []

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
            _check_source(reply.content.source, source)
            yield reply.content

    def read_passages(
        self, path: Path, source: str, notify: Notify, *, options: ReadOptions = DEFAULT_READING
    ) -> Iterator[Passage]:
        """The passages of a file, split by the worker, so that its core does that work as well."""
        for reply in self._ask(Request("passages", os.fsencode(path), source, options), notify):
            if not isinstance(reply, PassagesReply):
                raise malformed("no passages")
            for passage in reply.content:
                _check_source(passage.source, source)
                if passage.end - passage.start != len(passage.text) or passage.start < 0:
                    raise malformed("a passage whose offsets are not those of its text")
                yield passage

    def _ask(self, request: Request, notify: Notify) -> Iterator[Reply]:
        programs = bool(request.options.ocr)
        idle = self._idle_with_programs if programs else self._idle
        worker = self._take(idle, programs=programs)
        finished = False
        try:
            yield from worker.answer(request, notify)
        except Finished as reply:
            idle.append(worker)
            finished = True
            if reply.end.error:
                kind = UnreadableError if reply.end.unreadable else IngestionError
                raise kind(reply.end.error) from None
        except TookTooLong:
            raise IngestionError("took longer to read than a file of its size may") from None
        except Died as death:
            raise IngestionError(self._explain(death.code)) from None
        finally:
            if not finished:
                worker.kill()

    def close(self) -> None:
        """End the idle workers."""
        for idle in (self._idle, self._idle_with_programs):
            while idle:
                idle.pop().kill()

    def _take(self, idle: list[Worker], *, programs: bool) -> Worker:
        # Threads share the idle workers: asking whether there is one and taking it is one step.
        while True:
            try:
                worker = idle.pop()
            except IndexError:
                return Worker(self.limits, programs)
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


def _check_source(given: str, asked: str) -> None:
    """Refuse items that a reader gives out as those of another file."""
    if given != asked and not given.startswith((f"{asked}#", f"{asked}/")):
        raise malformed("text of another source")


def _ignore(notice: str) -> None:
    """Drop a notice."""


# Workers keep no state, so that all callers can share them; starting one takes longer than most
# files do.
SHARED = Sandbox()
atexit.register(SHARED.close)
