"""Opening a citation: in the editor at its line, in the program of its kind, or in the browser.

A file is never run. Only kinds of documents are handed to the desktop, and text goes to the editor.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from seminar.cli.links import safe
from seminar.errors import SeminarError
from seminar.locations import Location

# What the desktop may open: documents without programs in them that run when they are opened.
DOCUMENTS = frozenset({".docx", ".epub", ".odp", ".ods", ".odt", ".pdf", ".pptx", ".rtf", ".xlsx"})
OPENER_SECONDS = 2.0  # in which an opener without a program for a file says so
# How editors take a line and a column; others get the file alone.
LINE_OPTIONS = {
    **dict.fromkeys(("vi", "vim", "nvim", "view", "emacs", "joe", "mg", "ne"), "+{line}"),
    **dict.fromkeys(("nano", "pico", "micro"), "+{line},{column}"),
    **dict.fromkeys(("emacsclient", "kak"), "+{line}:{column}"),
}
PLACE_ARGUMENTS = {
    **dict.fromkeys(("code", "codium", "cursor"), ("--goto", "{file}:{line}:{column}")),
    **dict.fromkeys(("hx", "subl", "zed"), ("{file}:{line}:{column}",)),
}


def open_location(location: Location, environment: Mapping[str, str] = os.environ) -> bool:
    """Open a location; False if it is text and no editor is set, so that it is best shown."""
    link = safe(location.permalink)
    if link:
        return webbrowser.open(link)
    if location.file is None:
        raise SeminarError(
            f"the file of {location.citation} is not at hand: ask the files, not an index alone"
        )
    if location.file.suffix.lower() in DOCUMENTS:
        _open_document(location.file)
        return True
    editor = environment.get("VISUAL") or environment.get("EDITOR")
    if not editor:
        return False
    _run([*_parts(editor), *_arguments(_parts(editor)[0], location.file, location)])
    return True


def _parts(editor: str) -> list[str]:
    """The command of an editor, as a shell splits it."""
    try:
        parts = shlex.split(editor)
    except ValueError:
        parts = []
    if not parts:
        raise SeminarError(f"EDITOR={editor!r} is not a command; set it, as in EDITOR=nano")
    return parts


def _arguments(editor: str, file: Path, location: Location) -> list[str]:
    name, path = Path(editor).name, str(file.resolve())
    if location.line is None:
        return [path]
    place = {"file": path, "line": location.line, "column": location.column or 1}
    if name in PLACE_ARGUMENTS:
        return [part.format(**place) for part in PLACE_ARGUMENTS[name]]
    option = LINE_OPTIONS.get(name)
    return [option.format(**place), path] if option else [path]


def _open_document(file: Path) -> None:
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    if shutil.which(opener) is None:
        raise SeminarError(f"no program opens documents here; the file is {file}")
    opened = subprocess.Popen(
        [opener, str(file.resolve())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        code = opened.wait(OPENER_SECONDS)
    except subprocess.TimeoutExpired:  # some openers end only with the program that they start
        threading.Thread(target=opened.wait, daemon=True).start()
        return
    if code:
        raise SeminarError(f"no program opens it here; the file is {file}")


def _run(command: list[str]) -> None:
    try:
        ended = subprocess.run(command, check=False)
    except OSError as error:
        raise SeminarError(f"{command[0]} can't be run: {error.strerror}; set EDITOR") from None
    if ended.returncode:
        raise SeminarError(f"{command[0]} ended with code {ended.returncode}")
