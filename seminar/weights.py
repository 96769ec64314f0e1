"""Where the weights of the shipped models are: one folder for each model, with a card.

A checkout has all of them below `seminar/models/weights/`. An installed wheel has the small ones
there and finds the large ones in packages that name them as entry points (docs/models.md).
"""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import file_digest
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any

from seminar.errors import ConfigurationError, MissingWeightsError

FOLDER = Path(__file__).parent / "models" / "weights"
CARD = "card.md"
LISTED_FILE = re.compile(r"^\| `([^`/]+)` \| [\d,]+ \| `([0-9a-f]{64})` \|$", re.MULTILINE)
GROUP = "seminar.weights"  # entry points: the model's name = the package that holds its folder


def weights_folder(name: str) -> Path:
    """The folder of a model's weights.

    >>> (weights_folder("minilm") / "card.md").exists()
    True
    """
    if (FOLDER / name).is_dir():
        return FOLDER / name
    for entry in entry_points(group=GROUP, name=name):
        folder = Path(str(files(entry.module))) / name
        if folder.is_dir():
            return folder
    raise MissingWeightsError(name)


@cache
def verified_folder(name: str) -> Path:
    """The folder of a model's weights, once they are as the card says; the first time reads all."""
    folder = weights_folder(name)
    if wrong := wrong_files(folder):
        raise ConfigurationError(
            f"the weights of '{name}' are not as their card says: {', '.join(wrong)} in {folder}. "
            f"Restore them from the checkout, or install the package again; the checksums of "
            f"weights that you made belong on {CARD}"
        )
    return folder


def read_weights(name: str, file: str = "weights.json") -> dict[str, Any]:
    """The content of a model's file of numbers, which was verified."""
    content = (verified_folder(name) / file).read_text(encoding="utf-8")
    return json.loads(content)  # type: ignore[no-any-return]


def wrong_files(folder: Path) -> list[str]:
    """The files of a model that are missing or differ from the checksum on its card."""
    listed = LISTED_FILE.findall((folder / CARD).read_text(encoding="utf-8"))
    return [name for name, digest in listed if _sha256(folder / name) != digest] or (
        [] if listed else [CARD]
    )


def _sha256(file: Path) -> str:
    if not file.is_file():
        return ""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


def shipped_models() -> list[str]:
    """The names of all models whose weights are installed."""
    local = {folder.name for folder in FOLDER.iterdir() if folder.is_dir()}
    return sorted(local | entry_points(group=GROUP).names)
