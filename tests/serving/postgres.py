"""A real PostgreSQL server on a socket in a temporary folder, run as a user without rights."""

import os
import pwd
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BINARIES = Path("/usr/lib/postgresql/15/bin")
MISSING = f"no PostgreSQL 15 in {BINARIES}: apt-get install postgresql-15"


@dataclass
class Cluster:
    """A server that can be stopped, as by a crash, and started again."""

    folder: Path
    address: str  # of TCP, besides the socket in the folder
    port: int
    as_user: dict[str, Any]

    @property
    def url(self) -> str:
        """The URL of the database `postgres`, whose only user has every right."""
        if not self.address:
            return f"postgresql://seminar@/postgres?host={self.folder}"
        return f"postgresql://seminar@{self.address}:{self.port}/postgres"

    def create(self) -> None:
        initdb = [BINARIES / "initdb", "-D", self.folder / "data", "-U", "seminar", "-A", "trust"]
        self._run([*initdb, "-N", "--locale=C", "-E", "UTF8"])
        if self.address:
            with (self.folder / "data" / "pg_hba.conf").open("a", encoding="ascii") as file:
                file.write(f"host all all {self.address}/24 trust\n")

    def start(self) -> None:
        options = f"-k {self.folder} -p {self.port} -c listen_addresses='{self.address}'"
        options += " -c fsync=off"
        self._run([*self._control, "-l", self.folder / "log", "-o", options, "start"])

    def stop(self) -> None:
        """Stop at once; the next start recovers from the log."""
        self._run([*self._control, "-m", "immediate", "stop"])

    @property
    def _control(self) -> list[object]:
        return [BINARIES / "pg_ctl", "-D", self.folder / "data", "-w"]

    def _run(self, command: Sequence[object]) -> None:
        where = {"stdout": subprocess.DEVNULL, "cwd": self.folder, **self.as_user}
        subprocess.run([str(word) for word in command], check=True, **where)


@contextmanager
def postgres_cluster(address: str = "") -> Iterator[Cluster]:
    """A server on a socket, and at an address where one is named."""
    port = 5432
    if address:
        with socket.socket() as free:
            free.bind((address, 0))
            port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as name:  # sockets need short paths
        folder = Path(name)
        as_user: dict[str, Any] = {}
        if os.getuid() == 0:  # which PostgreSQL refuses
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        cluster = Cluster(folder, address, port, as_user)
        cluster.create()
        cluster.start()
        try:
            yield cluster
        finally:
            with suppress(subprocess.CalledProcessError):  # it may be stopped already
                cluster.stop()


@contextmanager
def postgres_server() -> Iterator[str]:
    """The start of the URLs of its databases' servers; its only user has every right there."""
    with postgres_cluster() as cluster:
        yield cluster.url


def is_installed() -> bool:
    return (BINARIES / "postgres").exists()
