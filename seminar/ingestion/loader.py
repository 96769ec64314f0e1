"""Loading a file: its documents or threads, or directly its passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from seminar.errors import IngestionError, UnreadableError
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.read_options import DEFAULT_READING, ReadOptions
from seminar.ingestion.sandbox.pool import SHARED, Sandbox
from seminar.types import Document, Passage, Thread

# Incremented whenever the same file would give other passages, so that indexes read it again.
VERSION = 10

NOTICES = 50  # of one file

Notified = Callable[[Problem], None]


def read(
    file: SourceFile,
    notify: Notified,
    *,
    options: ReadOptions = DEFAULT_READING,
    sandbox: Sandbox = SHARED,
) -> Iterator[Document | Thread]:
    """The documents or threads of a file; `notify` gets what had to be guessed or left out.

    Raises IngestionError, one line that names the file and the reason, where it can't be read;
    the items before the error remain valid.
    """
    with _naming(file):
        yield from sandbox.read(file.path, file.source, _limited(file, notify), options=options)


def read_passages(
    file: SourceFile,
    notify: Notified,
    *,
    options: ReadOptions = DEFAULT_READING,
    sandbox: Sandbox = SHARED,
) -> Iterator[Passage]:
    """The passages of a file's documents and the segments of its threads; else like `read`."""
    note = _limited(file, notify)
    with _naming(file):
        yield from sandbox.read_passages(file.path, file.source, note, options=options)


def _limited(file: SourceFile, notify: Notified) -> Callable[[str], None]:
    """A callback that names the file in each notice, and stops after `NOTICES` of them."""
    numbers = count()

    def note(reason: str) -> None:
        number = next(numbers)
        if number < NOTICES:
            notify(Problem(file.source, reason))
        elif number == NOTICES:
            notify(Problem(file.source, "there is more of this, which isn't shown"))

    return note


@contextmanager
def _naming(file: SourceFile) -> Iterator[None]:
    """Put the file's name before the message of every error inside."""
    try:
        yield
    except IngestionError as error:
        raise type(error)(f"{file.source}: {error}") from None
    except OSError as error:
        raise UnreadableError(f"{file.source}: can't be read: {error.strerror}") from None
