"""Servers of studies in processes of their own, which can be killed."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = [sys.executable, "-m", "seminar", "collect", "serve"]


@contextmanager
def process(file: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server process, its address, and the admin's token; killed at the end."""
    command = [*COMMAND, str(file), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            url = started.stdout.readline().split()[-1].rstrip("/")
            token = started.stdout.readline().partition("token=")[2].strip()
            yield started, url, token
        finally:
            started.kill()
