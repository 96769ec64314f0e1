"""Run a row in its own process, so that the peak of memory is the row's alone."""

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
# Errors that leave one row empty; any other error ends the whole run.
LACKING = (DatasetError, EndpointError, MissingExtraError)


def run_in_process(work: Callable[..., None], arguments: tuple[Any, ...], watch: Watch) -> None:
    """Call `work(*arguments, watch)` in a fresh process; its error becomes one here."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, work, arguments))
    process.start()
    sender.close()
    try:
        _follow(receiver, watch)
    finally:
        process.join()


def _follow(receiver: Connection, watch: Watch) -> None:
    while True:
        try:
            kind, *values = receiver.recv()
        except EOFError:
            raise SeminarError(
                "the process of a row ended without a word (out of memory?)"
            ) from None
        if kind == "done":
            return
        if kind == "progress":
            watch(*values)
        else:
            # Only the name of an error's class is sent between processes.
            lacking = any(kind == error.__name__ for error in LACKING)
            raise (DatasetError if lacking else ConfigurationError)(values[0])


def _work(sender: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    try:
        work(*arguments, lambda done, total: sender.send(("progress", done, total)))
    except SeminarError as error:
        sender.send((type(error).__name__, str(error)))
    except KeyboardInterrupt:  # the parent is interrupted as well
        return
    else:
        sender.send(("done",))
