"""A user at a terminal: a pseudo-terminal with `seminar chat` on its other side."""

import codecs
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

COMMAND = [sys.executable, "-m", "seminar.cli.main", "chat"]


# No answer comes to questions about the cursor; none of the tester's own preferences.
PLAIN = {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "", "COLORFGBG": ""}


class Terminal:
    """A user at a terminal: types, and waits for what appears."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process = process
        self._screen = screen
        self._seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def see(self, words: str, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while words not in self._seen:
            ready, _, _ = select.select([self._screen], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{words!r} never appeared in {self._seen!r}"
            self._seen += self._decoder.decode(os.read(self._screen, 4096))
        _, _, self._seen = self._seen.partition(words)

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def interrupt(self, words: str) -> None:
        """Press Ctrl-C until it is answered: readline misses one that comes while it echoes."""
        for _ in range(10):
            self.process.send_signal(signal.SIGINT)
            with suppress(AssertionError):
                self.see(words, seconds=3)
                return
        self.see(words)


@contextmanager
def terminal(
    folder: Path, *, command: Sequence[str] = COMMAND, **environment: str
) -> Iterator[Terminal]:
    """A chat with a folder, or another command over it, in a terminal of its own."""
    screen, theirs = pty.openpty()
    process = subprocess.Popen(
        [*command, str(folder)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=folder.parent,
        env={**os.environ, **PLAIN, **environment},
        # A shell that runs the tests in the background lets its children ignore Ctrl-C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    try:
        yield Terminal(process, screen)
    finally:
        process.kill()
        process.wait()
        os.close(screen)
