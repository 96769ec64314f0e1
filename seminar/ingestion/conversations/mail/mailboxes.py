"""Mailboxes to threads: mbox files, Maildirs, .eml files; read twice, headers first.

The first look finds which mails belong together and keeps their places, the second reads one
thread at a time, so that memory does not grow with what the mails hold.
"""

from __future__ import annotations

import re
import stat
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from seminar.errors import IngestionError
from seminar.ingestion.conversations.mail.message import KEY_LENGTH, links, parse
from seminar.ingestion.conversations.mail.threading import Threading
from seminar.ingestion.conversations.messages import compose, in_order
from seminar.ingestion.conversations.thread_builder import THREAD_CHARACTERS
from seminar.ingestion.streams.decoding import Notify
from seminar.types import Thread, Utterance

MAIL_LIMIT = 50_000_000  # bytes; what is larger is left out with a notice
THREAD_LIMIT = 500  # mails; what is longer is cut there
_HEAD = 1 << 15  # bytes in which headers and first lines are looked for
_SEPARATOR = re.compile(rb"From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n")
_ESCAPED = re.compile(rb"(?m)^>(>*From )")
_LINE = 1 << 16

# How to get a mail's bytes, at most so many, and the file it stands in.
Fetch = Callable[[int, int], bytes]


def recognises_mbox(head: bytes) -> bool:
    """Whether a file begins with mbox's line, and headers below it."""
    first = _SEPARATOR.match(head)
    return first is not None and re.match(rb"[!-9;-~]+:|>From ", head[first.end() :]) is not None


def is_maildir(folder: Path) -> bool:
    """Whether a folder is a mailbox of one file a mail, as far as one may look into it."""
    return _is_own_folder(folder / "cur") and _is_own_folder(folder / "new")


def _is_own_folder(path: Path) -> bool:
    """Whether a folder is here: no link, which may lead anywhere, and not closed to us."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def maildir_folders(folder: Path) -> list[Path]:
    """The Maildirs within a Maildir, whose names begin with a dot."""
    found = filter(_is_own_folder, folder.glob(".*"))
    return sorted(path for path in found if is_maildir(path))


def maildir_files(folder: Path) -> list[Path]:
    """The mails of a Maildir; links are none."""
    return sorted(
        path
        for box in ("cur", "new")
        for path in (folder / box).iterdir()
        if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
    )


def eml_files(folder: Path) -> list[Path]:
    """The mails of a folder of saved ones."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() == ".eml" and path.is_file() and not path.is_symlink()
    )


def read_eml(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The one mail of a file."""
    yield from _read_files([path], [source], source, notify)


def read_folder(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The threads of a Maildir, or of a folder of .eml files; cited as folder/file#message-id."""
    files = maildir_files(path) if is_maildir(path) else eml_files(path)
    sources = [f"{source}/{one.relative_to(path).as_posix()}" for one in files]
    yield from _read_files(files, sources, source, notify)


def _read_files(
    files: Sequence[Path], sources: Sequence[str], source: str, notify: Notify
) -> Iterator[Thread]:
    def fetch(number: int, size: int) -> bytes:
        with files[number].open("rb") as stream:
            return stream.read(size)

    yield from _read(len(files), fetch, sources.__getitem__, source=source, notify=notify)


def read_mbox(path: Path, source: str, notify: Notify) -> Iterator[Thread]:
    """The threads of an mbox file; messages are cited as file#message-id."""
    with path.open("rb") as stream:
        bounds = _bounds(stream)

        def fetch(number: int, size: int) -> bytes:
            stream.seek(bounds[number])
            content = stream.read(min(size, bounds[number + 1] - bounds[number]))
            return _ESCAPED.sub(rb"\1", content.partition(b"\n")[2])

        yield from _read(len(bounds) - 1, fetch, lambda _: source, source=source, notify=notify)


def _bounds(stream: BinaryIO) -> array[int]:
    """Where the mails of an mbox begin, and where the last ends."""
    bounds = array("Q")
    at, blank = 0, True
    while line := stream.readline(_LINE):
        if blank and line.startswith(b"From ") and _SEPARATOR.fullmatch(line):
            bounds.append(at)
        blank = line in (b"\n", b"\r\n")
        at += len(line)
    bounds.append(at)
    return bounds


def _read(
    count: int, fetch: Fetch, place: Callable[[int], str], *, source: str, notify: Notify
) -> Iterator[Thread]:
    threading = Threading()
    kept = array("Q")
    for number in range(count):
        headers, beginning = _beginning(fetch(number, _HEAD))
        if threading.add(links(headers), beginning):
            kept.append(number)
    read = partial(_utterance, fetch, place, notify)
    for mails in threading.threads():
        found = (read(kept[mail]) for mail in mails)
        for title, said in _cut(found):
            yield _thread(in_order(said), title, source)


def _cut(found: Iterator[tuple[str, Utterance | None]]) -> Iterator[tuple[str, list[Utterance]]]:
    """Subject and messages of a thread, in parts where it is longer than any."""
    title, held, size = "", list[Utterance](), 0
    for subject, said in found:
        title = title or subject
        if said is None:
            continue
        held.append(said)
        size += len(said.text)
        if len(held) >= THREAD_LIMIT or size >= THREAD_CHARACTERS:
            yield title, held
            held, size = [], 0
    if held:
        yield title, held


def _beginning(head: bytes) -> tuple[bytes, str]:
    """The headers of a mail, and the first lines of its body as they stand there."""
    headers, _, body = head.replace(b"\r\n", b"\n").partition(b"\n\n")
    return headers, body.decode("utf-8", "replace")


def _thread(said: Sequence[Utterance], title: str, source: str) -> Thread:
    subject = title or PurePosixPath(source).stem
    return compose(said, title=subject, channel=f"{source}/{said[0].key}")


def _utterance(
    fetch: Fetch, place: Callable[[int], str], notify: Notify, number: int
) -> tuple[str, Utterance | None]:
    """A mail's subject, and its message if it says something."""
    source = place(number)
    try:
        content = fetch(number, MAIL_LIMIT + 1)
        if len(content) > MAIL_LIMIT:
            raise IngestionError(f"larger than {MAIL_LIMIT:,} bytes")
        mail = parse(content)
    except (IngestionError, OSError) as error:
        notify(f"mail {number + 1} ({source}): {error}; left out")
        return "", None
    if not mail.text:
        return mail.subject, None
    key = mail.key[:KEY_LENGTH] or str(number + 1)
    return mail.subject, Utterance(key, mail.speaker, mail.text, mail.time, source=source)
