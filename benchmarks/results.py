"""Where results go, and the bar that shows how far a benchmark is."""

from __future__ import annotations

import json
import os
import platform
import resource
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from seminar.io import write_atomic

FOLDER = Path(__file__).parent / "results"


def progress(steps: Sequence[int], label: str) -> Iterable[int]:
    console = Console(stderr=True)
    return track(steps, description=label, console=console, disable=not console.is_terminal)


def write_result(name: str, result: object) -> None:
    """Write a result as JSON with the kind of machine it was measured on, and show it."""
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    content = json.dumps({"machine": machine, "result": result}, indent=1, ensure_ascii=False)
    write_atomic(FOLDER / f"{name}.json", content.encode() + b"\n")
    print(content)


def read_result(name: str) -> dict[str, object]:
    """What was measured before, to which a run of some parts adds."""
    file = FOLDER / f"{name}.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))["result"]) if file.exists() else {}


def peak_memory_mib() -> float:
    """The most memory this process has held so far (Linux counts in KiB)."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
