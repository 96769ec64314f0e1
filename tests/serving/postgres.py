"""A real PostgreSQL server on a socket in a temporary folder, run as a user without rights."""

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BINARIES = Path("/usr/lib/postgresql/15/bin")
MISSING = f"no PostgreSQL 15 in {BINARIES}: apt-get install postgresql-15"


@contextmanager
def postgres_server() -> Iterator[str]:
    """The start of the URLs of its databases' servers; its only user has every right there."""
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as name:  # sockets need short paths
        folder = Path(name)
        as_user = {}
        if os.getuid() == 0:  # which PostgreSQL refuses
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **as_user}
        initdb = [BINARIES / "initdb", "-D", folder / "data", "-U", "seminar", "-A", "trust", "-N"]
        subprocess.run([*initdb, "--locale=C", "-E", "UTF8"], **run)
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        control = [BINARIES / "pg_ctl", "-D", folder / "data", "-w"]
        subprocess.run([*control, "-l", folder / "log", "-o", options, "start"], **run)
        try:
            yield f"postgresql://seminar@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **run)


def is_installed() -> bool:
    return (BINARIES / "postgres").exists()
