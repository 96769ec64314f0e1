"""The child process of the sandbox: requests on stdin, replies on stdout."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from seminar.errors import SeminarError
from seminar.ingestion.documents.html_links import read_links
from seminar.ingestion.formats import choose
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

SURVEY_RATE = 1_000_000  # bytes a second that a look at a whole file may take
Item = Document | Thread


def _item_reply(item: Item) -> Reply:
    return ThreadReply(item) if isinstance(item, Thread) else DocumentReply(item)


def _passages_reply(item: Item) -> Reply:
    return PassagesReply(tuple(split_item(item)))


_REPLIES: dict[str, Callable[[Item], Reply]] = {
    "items": _item_reply,
    "passages": _passages_reply,
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

    def answer(self, request: Request) -> None:
        error, unreadable = "", False
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            self._look_into(request)
        except SeminarError as problem:  # of the file, or of an extra that isn't installed
            error = str(problem)
        except OSError as problem:
            error = f"can't be read: {problem.strerror or problem}"
            unreadable = True
        except RecursionError:
            error = "nested too deeply"
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._send(EndReply(whole(error), unreadable))
        signal.setitimer(signal.ITIMER_REAL, 0)

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
            more = _size(request.path) / SURVEY_RATE
            signal.setitimer(signal.ITIMER_REAL, self._seconds + more)
        read = form.reader(request.options, self._restart_clock)
        for item in read(request.path, request.source, self._notify):
            self._send(_REPLIES[request.reply](item))

    def _restart_clock(self) -> None:
        """Give the next slow step, such as a scanned page, the time of a document."""
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def _notify(self, notice: str) -> None:
        self._send(NoticeReply(whole(notice)))

    def _send(self, reply: Reply) -> None:
        message = encode(reply)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._replies.write(message)
        self._replies.flush()
        signal.setitimer(signal.ITIMER_REAL, self._seconds)


def _size(path: Path) -> int:
    """How many bytes a file has, or all files below a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def main(arguments: list[str]) -> None:
    """Set the limits, then serve; the alarm's default action ends the process."""
    memory, seconds = int(arguments[0]), float(arguments[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends the worker
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the replies
    serve(sys.stdin.buffer, replies, seconds)


if __name__ == "__main__":
    main(sys.argv[1:])
