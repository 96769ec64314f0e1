"""The end of the service: streams learn of it before the server waits for them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def note_stop_signals(stopping: threading.Event) -> Iterator[None]:
    """Set the event when the process is told to stop, before the server's own handler runs.

    The server ends the application only after all its streams, so they can't wait for that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    earlier = {number: signal.getsignal(number) for number in SIGNALS}

    def note(number: int, frame: FrameType | None) -> None:
        stopping.set()
        handler = earlier[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in SIGNALS:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def end_with_parent() -> None:
    """Stop this worker when the process that started it is gone: it would keep the address."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()
