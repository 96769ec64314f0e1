"""Where the weights of the shipped models are: one folder for each model, with a card.

A checkout has all of them below `seminar/models/weights/`. An installed wheel has the small ones
there and finds the large ones in packages that name them as entry points (docs/models.md).
"""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path

from seminar.errors import MissingWeightsError

FOLDER = Path(__file__).parent / "models" / "weights"
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


def shipped_models() -> list[str]:
    """The names of all models whose weights are installed."""
    local = {folder.name for folder in FOLDER.iterdir() if folder.is_dir()}
    return sorted(local | entry_points(group=GROUP).names)
