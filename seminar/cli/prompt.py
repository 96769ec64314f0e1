"""The line that a person types: history across runs, completion, pasted text of several lines."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from seminar.io import make_private, write_atomic
from seminar.settings import state_folder

HISTORY_FILE = "history"
HISTORY_LIMIT = 1_000_000  # bytes; of a longer history the newer half is kept
PROMPT = "\n» "


class PrivateHistory(FileHistory):
    """Lines in a file that only its owner can read.

    A line that begins with a space is not kept; where the file can't be written, none is.
    """

    def store_string(self, string: str) -> None:
        if string[:1] != " ":
            with suppress(OSError):
                super().store_string(string)


def typed_lines(completer: Completer) -> Callable[[], str]:
    """A function that reads a line at the terminal; EOFError at Ctrl-D."""
    session: PromptSession[str] = PromptSession(
        history=open_history(),
        completer=completer,
        complete_while_typing=False,
        enable_history_search=True,
        enable_suspend=True,
        key_bindings=_bindings(),
    )
    return lambda: one_line(session.prompt(PROMPT))


def open_history() -> History:
    """The lines of earlier runs; none are kept where the folder can't be written."""
    file = state_folder() / HISTORY_FILE
    try:
        make_private(file)
        _shorten(file)
    except OSError:
        return InMemoryHistory()
    return PrivateHistory(str(file))


def _shorten(file: Path) -> None:
    """Keep the newer half of a history that has grown too long."""
    if file.stat().st_size > HISTORY_LIMIT:
        newer = file.read_bytes()[-HISTORY_LIMIT // 2 :]
        write_atomic(file, newer[newer.find(b"\n# ") + 1 :])


def _bindings() -> KeyBindings:
    """Alt-Enter begins a new line; Enter ends the question, as ever."""
    bindings = KeyBindings()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings


def one_line(text: str) -> str:
    """Typed or pasted text as a question: its lines joined, without space at its ends.

    >>> one_line(" Who wrote\\n  this? ")
    'Who wrote this?'
    """
    return " ".join(text.split()) if "\n" in text else text.strip()
