"""Standard output and standard error: wrapped for a terminal, unwrapped for a file or a pipe."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Mapping
from typing import IO

from rich.console import Console
from rich.style import Style
from rich.theme import Theme

UNBROKEN = 1 << 20  # columns: more than any line has
_UNPRINTABLE = re.compile(r"[^ -~]")


# The colours of this program on a light background, on which bright ones can't be read.
LIGHT = Theme(
    {
        "yellow": Style(color="color(130)"),
        "cyan": Style(color="color(24)"),
        "green": Style(color="color(28)"),
        "bold green": Style(color="color(28)", bold=True),
        "dim": Style(color="color(240)"),
    }
)
BRIGHT = ("7", "15")  # white among the colours of a terminal


class _Unbroken(Console):
    """A console that raises BrokenPipeError, so that the command chooses the exit code."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output() -> Console:
    """Standard output."""
    return _Unbroken(highlight=False, width=_width(sys.stdout), theme=_theme())


def errors() -> Console:
    """Standard error."""
    return _Unbroken(stderr=True, highlight=False, width=_width(sys.stderr), theme=_theme())


def _theme() -> Theme | None:
    """Darker colours where SEMINAR_THEME or the terminal, in COLORFGBG, names a light background.

    NO_COLOR, which leaves all colours out, is heeded by rich.
    """
    chosen = os.environ.get("SEMINAR_THEME", "")
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    is_light = chosen == "light" or (chosen != "dark" and background in BRIGHT)
    return LIGHT if is_light else None


def _width(stream: IO[str]) -> int | None:
    return None if stream.isatty() else UNBROKEN


def tolerate_any_text() -> None:
    """Replace characters that a stream's encoding lacks, and stray bytes, instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def drop_output() -> None:
    """Discard the output that is not flushed yet, after its reader has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(record: Mapping[str, object]) -> None:
    """Print a JSON object on one line, escaped if the encoding of stdout isn't UTF-8."""
    escaped = codecs.lookup(sys.stdout.encoding).name != "utf-8"
    line = json.dumps(record, ensure_ascii=escaped)
    # JSON itself escapes the controls below U+0020 only; a terminal would obey others too.
    print(_UNPRINTABLE.sub(_escape, line) if not line.isprintable() else line, flush=True)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return character if character.isprintable() else json.dumps(character)[1:-1]


def printable(text: str) -> str:
    """Put text on one line, without the control characters that a terminal would obey.

    >>> printable("a\\x1b[31m b\\n c")
    'a[31m b c'
    """
    return " ".join("".join(c if c.isprintable() else " " * c.isspace() for c in text).split())


def printable_lines(text: str) -> str:
    """Remove the control characters of a text that keeps its lines and spaces.

    >>> printable_lines("a\\x1b[31m b\\n\\tc\\u202e")
    'a[31m b\\n c'
    """
    return "".join(c if c.isprintable() or c == "\n" else " " * c.isspace() for c in text)


def counted(number: int, noun: str) -> str:
    """Join a number and its noun.

    >>> counted(1, "turn"), counted(2_000, "turn")
    ('1 turn', '2,000 turns')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
