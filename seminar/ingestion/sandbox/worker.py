"""The child process of the sandbox: requests on stdin, replies on stdout."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from seminar.errors import SeminarError
from seminar.ingestion.documents.html_links import read_links
from seminar.ingestion.formats import choose
from seminar.ingestion.sandbox.bounds import SURVEY_RATE, Bounds, Spent, size_of
from seminar.ingestion.sandbox.confinement import confine
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
    decode_request,
    encode,
)
from seminar.ingestion.segments import split_item
from seminar.text import whole
from seminar.types import Document, Thread

PASSAGES = 1_000  # of one reply
Item = Document | Thread


def _item_replies(item: Item) -> Iterator[Reply]:
    yield ThreadReply(item) if isinstance(item, Thread) else DocumentReply(item)


def _passages_replies(item: Item) -> Iterator[Reply]:
    passages = iter(split_item(item))
    while part := tuple(islice(passages, PASSAGES)):
        yield PassagesReply(part)


_REPLIES: dict[str, Callable[[Item], Iterator[Reply]]] = {
    "items": _item_replies,
    "passages": _passages_replies,
}


def serve(requests: BinaryIO, replies: BinaryIO, seconds: float) -> None:
    """Answer one request after another, until the requests end."""
    for line in requests:
        _Answering(replies, seconds).answer(decode_request(line))


class _Answering:
    """One request's replies; the clock runs while a document is read, not while it is sent."""

    def __init__(self, replies: BinaryIO, seconds: float) -> None:
        self._replies = replies
        self._seconds = seconds
        self._spent = Spent(Bounds.of(0, seconds))
        self._armed = 0.0  # when the clock was started, or 0 while it stands

    def answer(self, request: Request) -> None:
        error, unreadable = "", False
        size = size_of(request.path)
        self._spent = Spent(Bounds.of(size, self._seconds, ocr=bool(request.options.ocr)))
        self._start_clock()
        try:
            self._look_into(request)
        except SeminarError as problem:  # of the file, or of an extra that isn't installed
            error = str(problem)
        except OSError as problem:
            error = f"can't be read: {problem.strerror or problem}"
            unreadable = True
        except RecursionError:
            error = "nested too deeply"
        self._stop_clock()
        self._send(EndReply(whole(error), unreadable))
        self._stop_clock()

    def _look_into(self, request: Request) -> None:
        """Choose the format of the file, and read it if the request says so."""
        if request.reply == "links":
            found = read_links(request.path, request.source)
            self._send(LinksReply(tuple(whole(target) for target in found)))
            return
        form = choose(request.path)
        if request.reply == "format":
            self._send(FormatReply(form.name))
            return
        if form.surveys:
            self._start_clock(size_of(request.path) / SURVEY_RATE)
        read = form.reader(request.options, self._start_clock)
        for item in read(request.path, request.source, self._notify):
            self._spent.count(item)
            for reply in _REPLIES[request.reply](item):
                self._send(reply)

    def _start_clock(self, more: float = 0.0) -> None:
        """Give the next slow step, such as a scanned page, the time of a document and some more."""
        self._stop_clock()
        left = self._spent.bounds.seconds - self._spent.seconds
        signal.setitimer(signal.ITIMER_REAL, max(min(self._seconds + more, left), 0.01))
        self._armed = time.monotonic()

    def _stop_clock(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if self._armed:
            self._spent.seconds += time.monotonic() - self._armed
            self._armed = 0.0

    def _notify(self, notice: str) -> None:
        self._send(NoticeReply(whole(notice)))

    def _send(self, reply: Reply) -> None:
        message = encode(reply)
        self._stop_clock()
        self._replies.write(message)
        self._replies.flush()
        self._start_clock()


def main(arguments: list[str]) -> None:
    """Set the limits, then serve; the alarm's default action ends the process."""
    memory, seconds, folder, programs = arguments
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    confine(Path(folder), programs=programs == "programs")
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends the worker
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the replies
    serve(sys.stdin.buffer, replies, float(seconds))


if __name__ == "__main__":
    main(sys.argv[1:])
