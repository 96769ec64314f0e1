"""Hyperlinks in a terminal (OSC 8): only to addresses made here, and only where they are shown.

A file's name is untrusted: an address holds nothing but printable ASCII, the rest is escaped.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from urllib.parse import quote

from rich.console import Console

from seminar.locations import Location

_SAFE = re.compile(r"(?:https|file|vscode)://[!-~]+")
_MARKS = (  # environment variables that terminals with hyperlinks set
    "DOMTERM", "GHOSTTY_RESOURCES_DIR", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WEZTERM_PANE",
    "WT_SESSION",
)  # fmt: skip
_PROGRAMS = frozenset(
    {"ghostty", "Hyper", "iTerm.app", "mintty", "rio", "tmux", "vscode", "WarpTerminal", "WezTerm"}
)
_TERMS = ("alacritty", "contour", "foot", "wezterm", "xterm-ghostty", "xterm-kitty")
_FIRST_VTE = 5000  # GNOME Terminal and its kin, from 0.50


def shows_links(console: Console, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a console is a terminal known to show hyperlinks; NO_COLOR turns them off."""
    if not console.is_terminal or environment.get("NO_COLOR") or console.color_system is None:
        return False
    term, version = environment.get("TERM", ""), environment.get("VTE_VERSION", "")
    if version.isdecimal():
        return int(version) >= _FIRST_VTE
    return (
        any(environment.get(mark) for mark in _MARKS)
        or environment.get("TERM_PROGRAM", "") in _PROGRAMS
        or term.startswith(_TERMS)
    )


def address(location: Location, environment: Mapping[str, str] = os.environ) -> str:
    """The address of a location in the form that the terminal opens; empty where there is none.

    A permalink of a message comes first. VS Code and kitty open a file at its line.
    """
    link = safe(location.permalink)
    if link:
        return link
    if location.file is None:
        return ""
    path = quote(os.fsencode(location.file.resolve()), safe="/")
    if environment.get("TERM_PROGRAM") == "vscode":
        line = f":{location.line}:{location.column or 1}" if location.line else ""
        return safe(f"vscode://file{path}{line}")
    fragment = ""
    if environment.get("KITTY_WINDOW_ID") and location.line:
        fragment = f"#{location.line}"
    return safe(f"file://{quote(socket.gethostname(), safe='')}{path}{fragment}")


def safe(url: str) -> str:
    """An address if it is of a known kind and printable ASCII throughout, else nothing."""
    return url if _SAFE.fullmatch(url) else ""
