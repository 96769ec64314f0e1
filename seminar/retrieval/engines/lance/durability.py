"""Flush files to disk, so that they survive a power cut: LanceDB itself calls no fsync."""

from __future__ import annotations

import os
from pathlib import Path


def flush_to_disk(folder: Path, *, since: float) -> None:
    """Write every file of a folder that changed since a time, and every directory, to the disk."""
    for directory, _, names in os.walk(folder):
        for name in names:
            path = Path(directory, name)
            if path.stat().st_mtime >= since:
                _sync(path)
        _sync(Path(directory))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
