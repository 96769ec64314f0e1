"""The short form of `scripts/soak`: each fault once, on a real index of real processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.power_loss import build_shim, cut_power, identity, remember
from benchmarks.soak import SCENARIOS, soak


# Kills are tried by the tests of the engine.
@pytest.mark.parametrize("name", sorted(SCENARIOS.keys() - {"kills"}))
def test_fault_costs_nothing_acknowledged(name: str):
    outcome = soak(name, short=True, seed=1)
    if outcome.left_out:
        pytest.skip(outcome.left_out)
    assert outcome.tries > 0
    assert outcome.faults == []


class Unlucky:
    """Chance by which a power cut loses all that may be lost."""

    def random(self) -> float:
        return 0.0

    def choice(self, options: list[bytes]) -> bytes:
        return min(options, key=len) if isinstance(options[0], bytes) else options[-1]

    def randint(self, least: int, _: int) -> int:
        return least


def test_power_cut_loses_what_was_not_flushed_and_keeps_what_was(tmp_path: Path):
    folder, kept = tmp_path / "folder", tmp_path / "kept"
    folder.mkdir()
    for name in ("flushed", "changed"):
        (folder / name).write_text(name)
    remember(folder, kept)
    (folder / "changed").write_text("longer than before")
    (folder / "new").write_text("new")
    assert cut_power(folder, kept, Unlucky()) == 3  # a file, its content and an entry
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "flushed": "flushed",
        "changed": "changed",
    }


def test_preloaded_library_keeps_what_was_flushed(tmp_path: Path):
    shim = build_shim(tmp_path)
    if shim is None:
        pytest.skip("needs a C compiler")
    (tmp_path / "kept").mkdir()
    line = "import os; f = open('a', 'w'); f.write('one'); f.flush(); os.fsync(f.fileno()); "
    line += "f.write('two'); f.flush(); os.fsync(os.open('.', 0))"
    variables = {"LD_PRELOAD": str(shim), "SHIM_KEEP": str(tmp_path / "kept")}
    (tmp_path / "own").mkdir()
    subprocess.run(
        [sys.executable, "-S", "-c", line], env=variables, cwd=tmp_path / "own", check=True
    )
    file = tmp_path / "own" / "a"
    assert file.read_text() == "onetwo"
    assert (tmp_path / "kept" / identity(file)).read_text() == "one"
    listed = (tmp_path / "kept" / f"{identity(tmp_path / 'own')}.folder").read_text()
    assert listed == f"{identity(file)} a\n"
