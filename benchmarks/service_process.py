"""A real server process over the example collection, which can be killed and started again."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

EXAMPLES = Path(__file__).parent.parent / "examples"
START_SECONDS = 120.0
END_SECONDS = 60.0


class Service:
    """A server process that is killed and started again at the same address, over one state."""

    def __init__(
        self, folder: Path, *, workers: int = 1, database: str = "", options: Sequence[str] = ()
    ) -> None:
        self._folder = folder
        self._workers = workers
        self._options = options
        self._environment = {**os.environ, "SEMINAR_HOME": str(folder / "home")}
        if database:
            self._environment["SEMINAR_DATABASE"] = database
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start, and wait until it is ready; the seconds that it took."""
        begun = time.monotonic()
        options = ["--port", str(self.port), "--workers", str(self._workers)]
        kept = ["--folder", str(self._folder / "state")]
        assistant = ["--encoder", "static", "--reader", "sentence", "--no-followups"]
        place = str(EXAMPLES / "collection")
        command = [sys.executable, "-m", "seminar", "serve", place, *options, *kept, *assistant]
        command += self._options
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,  # so that all its processes can be killed at once
            )
        last = begun + START_SECONDS
        while not self._is_ready():
            if time.monotonic() > last or self._process.poll() is not None:
                raise SystemExit(f"the service did not start: {self.log()[-3_000:]}")
            time.sleep(0.05)
        return round(time.monotonic() - begun, 2)

    def log(self) -> str:
        return (self._folder / "log").read_text(encoding="utf-8", errors="replace")

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/ready", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self, kind: str, chance: random.Random) -> bool:
        """Kill all processes, a worker, or the process above; whether it has to be started."""
        process = self._process
        if process is None:
            return True
        if kind == "worker":
            os.kill(chance.choice(_workers_of(process.pid)), signal.SIGKILL)
            return False
        if kind == "parent":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self._wait_for_workers(process.pid)
        return True

    def _wait_for_workers(self, group: int) -> None:
        """Wait until no process of the service is left."""
        last = time.monotonic() + END_SECONDS
        while _is_group(group):
            if time.monotonic() > last:
                os.killpg(group, signal.SIGKILL)
                raise SystemExit("workers go on without the process that started them")
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(END_SECONDS)


def _workers_of(parent: int) -> list[int]:
    """The processes below another one that have the service's socket (Linux)."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [one for one in map(int, children) if b"spawn_main" in _command(one)]


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _is_group(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def running(
    folder: Path, *, workers: int = 1, database: str = "", options: Sequence[str] = ()
) -> Iterator[Service]:
    """A service over a folder, until the context is left."""
    service = Service(folder, workers=workers, database=database, options=options)
    try:
        service.start()
        yield service
    finally:
        service.stop()
