"""A confined process is asked to do what a reader never needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

TRIES = """
import json, os, socket, subprocess, sys, threading
from pathlib import Path
from seminar.ingestion.sandbox.confinement import confine

folder, outside, programs = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "programs"
held = confine(folder, programs=programs)


def thread():
    one = threading.Thread(target=lambda: None)
    one.start()
    one.join()


def works(act):
    try:
        act()
    except OSError:
        return False
    return True


print(json.dumps([held, {
    "read": works(lambda: outside.read_bytes()),
    "write inside": works(lambda: (folder / "a").write_text("x")),
    "write outside": works(lambda: outside.write_text("x")),
    "delete outside": works(lambda: outside.unlink()),
    "create outside": works(lambda: (outside.parent / "new").mkdir()),
    "chmod outside": works(lambda: outside.chmod(0o777)),
    "connect": works(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[4])), 2)),
    "run": works(lambda: subprocess.run(["true"], check=True)),
    "fork": works(lambda: os.fork() or os._exit(0)),
    "signal": works(lambda: os.kill(os.getppid(), 0)),
    "thread": works(thread),
}]))
"""


def tries(tmp_path: Path, programs: str) -> tuple[list[str], dict[str, bool]]:
    import socket

    folder = tmp_path / "own"
    folder.mkdir()
    outside = tmp_path / "outside.txt"
    outside.write_text("precious")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        arguments = [str(folder), str(outside), programs, port]
        ended = subprocess.run(
            [sys.executable, "-c", TRIES, *arguments],
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
    held, works = json.loads(ended.stdout.splitlines()[-1])
    assert (outside.read_text() == "precious") if "landlock" in held else True
    return held, works


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_a_reader_reads_and_writes_in_its_own_folder_and_nothing_else(tmp_path: Path):
    held, works = tries(tmp_path, "alone")
    assert "no new privileges" in held
    allowed = {"read", "write inside", "thread"}
    if "landlock" in held and "seccomp" in held:
        assert {name for name, worked in works.items() if worked} == allowed
    if "landlock" in held:
        assert not any(
            works[name] for name in works if name.endswith("outside") and "chmod" not in name
        )
    if "seccomp" in held or "network namespace" in held:
        assert not works["connect"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_a_reader_with_programs_runs_them_without_further_rights(tmp_path: Path):
    held, works = tries(tmp_path, "programs")
    assert works["run"]
    if "landlock" in held and "seccomp" in held:
        assert not works["write outside"]
        assert not works["connect"]
