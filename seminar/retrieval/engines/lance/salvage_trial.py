"""Reads all of a damaged table in a process of its own, which the library may end at once.

Its exit code is 0 where everything could be read; a wrong length in a file makes it ask for more
memory than there is, which no caller can catch.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SECONDS = 600.0


def can_be_read(folder: Path, version: int | None, dimensions: int) -> bool:
    """Whether a process of its own reads the whole table at a version, or at its latest."""
    command = [sys.executable, "-P", "-m", __name__, str(folder), str(version or 0)]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        ended = subprocess.run(
            [*command, str(dimensions)],
            capture_output=True,
            timeout=SECONDS,
            env=variables,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def main(folder: str, version: str, dimensions: str) -> None:
    """Read every row, and forget it."""
    from seminar.retrieval.engines.lance.repair import every_row

    for _ in every_row(Path(folder), int(version) or None, int(dimensions)):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
