"""The weights that ship: one folder for each model, with a card."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "models" / "weights"


def weights_folder(name: str) -> Path:
    """The folder of a model's weights.

    >>> (weights_folder("minilm") / "card.md").exists()
    True
    """
    return FOLDER / name


def shipped_models() -> list[str]:
    """The names of all models whose weights ship."""
    return sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
