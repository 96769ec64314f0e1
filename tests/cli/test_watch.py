"""`seminar watch` in a process of its own, as it is used."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from seminar.assembly import open_index

OPTIONS = ("--json", "--encoder", "static")


def test_watch_indexes_what_changes_until_ctrl_c(tmp_path: Path, folder: Path):
    index = tmp_path / "index"
    process = subprocess.Popen(
        [sys.executable, "-m", "seminar", "watch", str(folder), "--to", str(index), *OPTIONS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SEMINAR_HOME": str(tmp_path / "home")},
    )
    assert process.stdout is not None
    try:
        assert json.loads(process.stdout.readline())["read"] == 2
        (folder / "harbour.md").write_text("# The harbour\n\nIt was built in 1820.\n")
        second = json.loads(process.stdout.readline())
        assert (second["read"], second["kept"]) == (1, 2)
        (folder / "harbour.md").unlink()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, errors) == (0, "Stopped.\n")
    assert "ferry.md" in open_index(index).files()


def test_a_path_that_is_not_there_is_an_error(seminar, tmp_path: Path):
    ended = seminar("watch", tmp_path / "none")
    assert ended.code == 2
    assert "does not exist" in ended.err
