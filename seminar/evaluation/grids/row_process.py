"""A row in a process of its own, so that the peak of memory is the row's and no other's."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from seminar.errors import (
    ConfigurationError,
    DatasetError,
    EndpointError,
    MissingExtraError,
    SeminarError,
)

Watch = Callable[[int, int], None]
# What a row can lack; any other error is a mistake of the whole run.
LACKING = (DatasetError, EndpointError, MissingExtraError)


def in_its_own_process(work: Callable[..., None], arguments: tuple[Any, ...], watch: Watch) -> None:
    """Call `work(*arguments, watch)` in a fresh process; its error becomes one here."""
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_told, args=(there, work, arguments))
    process.start()
    there.close()
    try:
        _follow(here, watch)
    finally:
        process.join()


def _follow(here: Connection, watch: Watch) -> None:
    while True:
        try:
            kind, *told = here.recv()
        except EOFError:
            raise SeminarError(
                "the process of a row ended without a word (out of memory?)"
            ) from None
        if kind == "done":
            return
        if kind == "watched":
            watch(*told)
        else:
            # An error's class survives the way between processes only by its name.
            lacking = any(kind == one.__name__ for one in LACKING)
            raise (DatasetError if lacking else ConfigurationError)(told[0])


def _told(there: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    try:
        work(*arguments, lambda done, total: there.send(("watched", done, total)))
    except SeminarError as error:
        there.send((type(error).__name__, str(error)))
    except KeyboardInterrupt:  # whoever waits is told so too
        return
    else:
        there.send(("done",))
