"""The lock file has a hash of every pinned version, and setup asks for what extras name."""

import re
import subprocess
import sys

from tests.paths import ROOT


def pins(text: str) -> set[str]:
    return {
        re.sub(r"[-_.]+", "-", line.split()[0].lower())
        for line in text.splitlines()
        if re.match(r"[A-Za-z0-9]\S*==", line)
    }


def test_lock_has_every_pin_but_that_of_pytorch():
    pinned = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    advice = "run scripts/lock and commit requirements.lock"
    assert pins(locked) == {pin for pin in pinned if not pin.startswith("torch==")}, advice


def test_every_locked_version_has_hashes_and_no_registry_is_named():
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for block in re.split(r"\n(?=[A-Za-z0-9])", locked.partition("\n")[2]):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block[:80]
    assert "://" not in locked


def test_wanted_packages_are_those_of_the_extras_and_of_extras_that_they_name():
    command = [sys.executable, str(ROOT / "scripts" / "wanted.py")]
    printed = subprocess.run([*command, "dev", "train"], capture_output=True, text=True, check=True)
    names = {re.split(r"[\[<>=;\s]", line)[0] for line in printed.stdout.splitlines()}
    assert {"click", "pytest", "fastapi", "transformers"} <= names
    assert "torch" not in names
    unknown = subprocess.run([*command, "nothing"], capture_output=True, text=True, check=False)
    assert unknown.returncode == 1
    assert "there is no extra 'nothing'. Known: analyze" in unknown.stderr
