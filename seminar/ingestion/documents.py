"""The front of ingestion: a file to its documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from seminar.errors import IngestionError
from seminar.ingestion.files import Problem, SourceFile
from seminar.ingestion.formats import choose
from seminar.ingestion.sandbox import SHARED, Sandbox
from seminar.types import Document


def read(
    file: SourceFile, notify: Callable[[Problem], None], *, sandbox: Sandbox = SHARED
) -> Iterator[Document]:
    """The documents of a file; what had to be guessed or left out is told to `notify`.

    Raises IngestionError, one line that names the file and the reason, where it can't be read;
    the documents that came before stand.
    """

    def note(reason: str) -> None:
        notify(Problem(file.source, reason))

    try:
        form = choose(file.path)
        if form.sandboxed:
            yield from sandbox.read(form.name, file.path, file.source, note)
        else:
            yield from form.read(file.path, file.source, note)
    except IngestionError as error:
        raise IngestionError(f"{file.source}: {error}") from None
    except OSError as error:
        raise IngestionError(f"{file.source}: can't be read: {error.strerror}") from None
