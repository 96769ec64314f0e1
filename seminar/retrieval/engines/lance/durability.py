"""Flush files to disk, so that they survive a power cut: LanceDB itself calls no fsync."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def flush_to_disk(folder: Path, names: Iterable[str]) -> None:
    """Write the named files below a folder, and every directory there, to the disk."""
    for name in names:
        _sync(folder / name)
    for directory, _, _ in os.walk(folder):
        _sync(Path(directory))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
