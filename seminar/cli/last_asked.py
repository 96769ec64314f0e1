"""What was asked last, so that `seminar show PLACE` finds the files of the answer it is from."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress

from seminar.errors import SeminarError
from seminar.index_url import IndexUrl, Place, parse_place
from seminar.ingestion.selection import Selection
from seminar.io import make_private, write_atomic
from seminar.settings import Settings, home

FILE_NAME = "last-asked.json"
KEPT = ("encoder", "threads", "ocr")  # settings that decide which index is opened

Asked = tuple[tuple[Place, ...], Selection, dict[str, object]]


def remember(paths: Sequence[Place], selection: Selection, settings: Settings) -> None:
    """Keep the paths, patterns and encoder of a question; a folder that is read-only keeps none."""
    record = {
        "paths": [_stored(path) for path in paths],
        "include": list(selection.include),
        "exclude": list(selection.exclude),
        "settings": {name: getattr(settings, name) for name in KEPT},
    }
    with suppress(OSError):
        make_private(home() / FILE_NAME)
        write_atomic(home() / FILE_NAME, json.dumps(record).encode())


def recall() -> Asked:
    """The paths, patterns and settings of the last question."""
    try:
        record = json.loads((home() / FILE_NAME).read_bytes())
        paths = tuple(parse_place(os.fsdecode(bytes.fromhex(path))) for path in record["paths"])
        selection = Selection(tuple(record["include"]), tuple(record["exclude"]))
        return paths, selection, dict(record["settings"])
    except (OSError, ValueError, KeyError, TypeError):
        raise SeminarError(
            "nothing was asked so far: name the files too, as in seminar show FOLDER choir.md:13"
        ) from None


def _stored(path: Place) -> str:
    """A path in full or a URL, in hexadecimal digits: names need not be UTF-8."""
    return os.fsencode(str(path) if isinstance(path, IndexUrl) else path.absolute()).hex()
