"""Mailboxes: mbox files, Maildirs and .eml files, read twice.

The first pass reads headers and groups mails into threads, the second reads one thread at a time,
so that memory does not grow with the content of the mails.
"""

from __future__ import annotations

import re
import stat
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from seminar.errors import IngestionError
from seminar.ingestion.conversations.mail.message import KEY_LENGTH, links, parse
from seminar.ingestion.conversations.mail.threading import Threading
from seminar.ingestion.conversations.messages import compose, in_order
from seminar.ingestion.conversations.thread_builder import THREAD_CHARACTERS
from seminar.ingestion.source_lines import Marks
from seminar.ingestion.streams.decoding import Notify
from seminar.regular_files import is_regular, open_regular
from seminar.types import LineMark, Thread, Utterance

MAIL_LIMIT = 50_000_000  # bytes; larger mails are left out with a notice
THREAD_LIMIT = 500  # mails, at which longer threads are cut
_HEAD = 1 << 15  # bytes that hold a mail's headers and first lines
_SEPARATOR = re.compile(rb"From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n")
_ESCAPED = re.compile(rb"(?m)^>(>*From )")
_LINE = 1 << 16

# From a mail's number and a limit to its first bytes, and from its number to its place.
Fetch = Callable[[int, int], bytes]
Locate = Callable[[int], "Place"]


class Place(NamedTuple):
    """The file of a mail, and the line on which the mail begins in a file of several."""

    source: str
    line: int | None = None

    @property
    def marks(self) -> Marks:
        return () if self.line is None else (LineMark(0, self.line),)


def recognises_mbox(head: bytes) -> bool:
    """Whether a file begins with the separator line of mbox and headers below it."""
    first = _SEPARATOR.match(head)
    return first is not None and re.match(rb"[!-9;-~]+:|>From ", head[first.end() :]) is not None


def is_maildir(folder: Path) -> bool:
    """Whether a folder is a Maildir, a mailbox with one file per mail."""
    return _is_own_folder(folder / "cur") and _is_own_folder(folder / "new")


def _is_own_folder(path: Path) -> bool:
    """Whether a path is a folder that can be seen, and not a link, which may lead anywhere."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def maildir_folders(folder: Path) -> list[Path]:
    """The Maildirs within a Maildir, whose names begin with a dot."""
    hidden = filter(_is_own_folder, folder.glob(".*"))
    return sorted(path for path in hidden if is_maildir(path))


def maildir_files(folder: Path) -> list[Path]:
    """The mails of a Maildir, without links."""
    return sorted(
        path
        for box in ("cur", "new")
        for path in (folder / box).iterdir()
        if is_regular(path) and not path.name.startswith(".")
    )


def eml_files(folder: Path) -> list[Path]:
    """The .eml files of a folder."""
    return sorted(
        path for path in folder.iterdir() if path.suffix.lower() == ".eml" and is_regular(path)
    )


def read_eml(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The mail of an .eml file."""
    yield from _read_files([path], [source], source, notify)


def read_folder(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The threads of a Maildir, or of a folder of .eml files; cited as folder/file#message-id."""
    files = maildir_files(path) if is_maildir(path) else eml_files(path)
    sources = [f"{source}/{file.relative_to(path).as_posix()}" for file in files]
    yield from _read_files(files, sources, source, notify)


def _read_files(
    files: Sequence[Path], sources: Sequence[str], source: str, notify: Notify
) -> Iterator[Thread]:
    def fetch(number: int, size: int) -> bytes:
        with open_regular(files[number]) as stream:
            return stream.read(size)

    def locate(number: int) -> Place:
        return Place(sources[number])

    yield from read_mails(len(files), fetch, locate, source=source, notify=notify)


def read_mbox(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The threads of an mbox file; messages are cited as file#message-id."""
    with open_regular(path) as stream:
        bounds, lines = _bounds(stream)

        def fetch(number: int, size: int) -> bytes:
            stream.seek(bounds[number])
            content = stream.read(min(size, bounds[number + 1] - bounds[number]))
            return _ESCAPED.sub(rb"\1", content.partition(b"\n")[2])

        def locate(number: int) -> Place:
            return Place(source, lines[number])

        yield from read_mails(len(bounds) - 1, fetch, locate, source=source, notify=notify)


def _bounds(stream: BinaryIO) -> tuple[array[int], array[int]]:
    """The offsets at which the mails of an mbox begin, and the last ends, and their first lines."""
    bounds, lines = array("Q"), array("Q")
    at, number, blank = 0, 1, True
    while line := stream.readline(_LINE):
        if blank and line.startswith(b"From ") and _SEPARATOR.fullmatch(line):
            bounds.append(at)
            lines.append(number)
        blank = line in (b"\n", b"\r\n")
        at += len(line)
        number += line.endswith(b"\n")
    bounds.append(at)
    return bounds, lines


def read_mails(
    count: int, fetch: Fetch, locate: Locate, *, source: str, notify: Notify
) -> Iterator[Thread]:
    """The threads of so many mails, which are fetched twice: their beginnings, then all of each."""
    threading = Threading()
    distinct = array("Q")
    for number in range(count):
        try:
            headers, beginning = _beginning(fetch(number, _HEAD))
            found = links(headers)
        except (RecursionError, OSError, ValueError) as error:
            notify(f"mail {number + 1} ({locate(number).source}): {_reason(error)}; left out")
            continue
        if threading.add(found, beginning):
            distinct.append(number)
    read = partial(_message, fetch, locate, notify)
    for mails in threading.threads():
        for title, messages in _cut(read(distinct[mail]) for mail in mails):
            yield _thread(in_order(messages), title, source)


def _cut(mails: Iterator[tuple[str, Utterance | None]]) -> Iterator[tuple[str, list[Utterance]]]:
    """Subject and messages of a thread, in parts where it is too long."""
    title, held, size = "", list[Utterance](), 0
    for subject, message in mails:
        title = title or subject
        if message is None:
            continue
        held.append(message)
        size += len(message.text)
        if len(held) >= THREAD_LIMIT or size >= THREAD_CHARACTERS:
            yield title, held
            held, size = [], 0
    if held:
        yield title, held


def _beginning(head: bytes) -> tuple[bytes, str]:
    """The headers of a mail, and the first lines of its body, undecoded."""
    headers, _, body = head.replace(b"\r\n", b"\n").partition(b"\n\n")
    return headers, body.decode("utf-8", "replace")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"can't be read: {error.strerror}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _thread(messages: Sequence[Utterance], title: str, source: str) -> Thread:
    subject = title or PurePosixPath(source).stem
    return compose(messages, title=subject, channel=f"{source}/{messages[0].key}")


def _message(
    fetch: Fetch, locate: Locate, notify: Notify, number: int
) -> tuple[str, Utterance | None]:
    """A mail's subject, and its message if it has words."""
    place = locate(number)
    try:
        content = fetch(number, MAIL_LIMIT + 1)
        if len(content) > MAIL_LIMIT:
            raise IngestionError(f"larger than {MAIL_LIMIT:,} bytes")
        mail = parse(content)
    except (IngestionError, OSError, RecursionError) as error:
        notify(f"mail {number + 1} ({place.source}): {_reason(error)}; left out")
        return "", None
    if not mail.text:
        return mail.subject, None
    key = mail.key[:KEY_LENGTH] or str(number + 1)
    return mail.subject, Utterance(
        key, mail.speaker, mail.text, mail.time, source=place.source, lines=place.marks
    )
