"""The front of ingestion: a file to its documents or threads, or at once to its passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile
from seminar.ingestion.formats import BY_DAY, Format, choose
from seminar.ingestion.sandbox.pool import SHARED, Sandbox
from seminar.types import Document, Passage, Thread

# Raised whenever the same file would give other passages, so that indexes read it again.
VERSION = 5

NOTICES = 50  # of one file

Notified = Callable[[Problem], None]


def read(
    file: SourceFile, notify: Notified, *, threads: bool = True, sandbox: Sandbox = SHARED
) -> Iterator[Document | Thread]:
    """The documents or threads of a file; what had to be guessed or left out is told to `notify`.

    Messages outside of threads are told apart into conversations, or else make one a day.
    Raises IngestionError, one line that names the file and the reason, where it can't be read;
    what came before stands.
    """
    note = _noting(file, notify)
    with _named(file):
        form = _form(file, threads)
        yield from sandbox.read(form.name, file.path, file.source, note)


def read_passages(
    file: SourceFile, notify: Notified, *, threads: bool = True, sandbox: Sandbox = SHARED
) -> Iterator[Passage]:
    """The passages of a file's documents, the segments of its threads; else like `read`."""
    note = _noting(file, notify)
    with _named(file):
        form = _form(file, threads)
        yield from sandbox.read_passages(form.name, file.path, file.source, note)


def _form(file: SourceFile, threads: bool) -> Format:
    form = choose(file.path)
    return form if threads else BY_DAY.get(form.name, form)


def _noting(file: SourceFile, notify: Notified) -> Callable[[str], None]:
    told = count()

    def note(reason: str) -> None:
        number = next(told)
        if number < NOTICES:
            notify(Problem(file.source, reason))
        elif number == NOTICES:
            notify(Problem(file.source, "there is more of this, which isn't shown"))

    return note


@contextmanager
def _named(file: SourceFile) -> Iterator[None]:
    """Errors inside say which file they are of."""
    try:
        yield
    except IngestionError as error:
        raise IngestionError(f"{file.source}: {error}") from None
    except OSError as error:
        raise IngestionError(f"{file.source}: can't be read: {error.strerror}") from None
