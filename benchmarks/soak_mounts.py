"""Full disks and read-only folders: real ones, mounted in a namespace of a child's own."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.crash_safety import (
    DIMENSIONS,
    Editions,
    apply,
    change,
    draw_changes,
    faults,
)
from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.store import LanceStore

DISK_BYTES = 3_000_000
BALLAST_BYTES = 1_500_000
ROUNDS = 400


def full_disk(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """A full disk costs the change under way and a line; with space again the index goes on."""
    return _in_namespace("full-disk", folder, tries, seed)


def read_only(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """An index that may not be written answers, and refuses changes with a line."""
    return _in_namespace("read-only", folder, tries, seed)


def _in_namespace(part: str, folder: Path, tries: int, seed: int) -> dict[str, object]:
    probe = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True).returncode:
        return {"left_out": "needs mounts in a namespace of one's own (Linux, unshare)"}
    command = [*probe[:-1], sys.executable, "-m", "benchmarks.soak_mounts"]
    arguments = [part, str(folder), str(tries), str(seed)]
    ended = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        return {"faults": [f"the child ended with {ended.returncode}: {ended.stderr[-500:]}"]}
    return dict(json.loads(ended.stdout))


def _fill_disks(folder: Path, tries: int, seed: int) -> dict[str, object]:
    wrong, filled = list[str](), 0
    for number in range(tries):
        chance = random.Random(seed * 1_000 + number)
        disk = folder / str(number)
        disk.mkdir()
        size = DISK_BYTES + chance.randrange(1_000_000)
        _mount("-t", "tmpfs", "-o", f"size={size}", "none", str(disk))
        (disk / "ballast").write_bytes(bytes(BALLAST_BYTES))
        store = LanceStore.create(disk / "index", encoder="random", dimensions=DIMENSIONS)
        state, under_way, line = _write_until_full(store, chance)
        filled += bool(line)
        if not line or "\n" in line:
            wrong.append(f"disk {number}: the error was {line!r}")
        (disk / "ballast").unlink()
        again = LanceStore(disk / "index", encoder="random", dimensions=DIMENSIONS)
        if faults(again, state):
            state = apply(state, under_way)
            wrong += [f"disk {number}: {fault}" for fault in faults(again, state)]
        changes = draw_changes(chance, 999_999)
        with again.writer(reader_seconds=0.0) as writer:
            change(writer, changes)
        wrong += [f"disk {number}, later: {one}" for one in faults(again, apply(state, changes))]
        _mount("--lazy", str(disk), program="umount")
    return {"faults": wrong, "counts": {"disks filled": filled}}


def _write_until_full(store: LanceStore, chance: random.Random) -> tuple[Editions, Editions, str]:
    """What was acknowledged, what was under way, and the error."""
    state, changes = Editions(), Editions()
    try:
        for edition in range(ROUNDS):
            changes = draw_changes(chance, edition)
            with store.writer() as writer:  # old versions stay for readers, and fill the disk
                change(writer, changes)
                writer.publish()
                state, changes = apply(state, changes), {}
    except IndexStoreError as error:
        return state, changes, str(error)
    return state, changes, ""


def _read_read_only(folder: Path, tries: int, seed: int) -> dict[str, object]:
    wrong: list[str] = []
    for number in range(tries):
        chance = random.Random(seed * 1_000 + number)
        index = folder / str(number)
        store = LanceStore.create(index, encoder="random", dimensions=DIMENSIONS)
        changes = draw_changes(chance, 1)
        with store.writer() as writer:
            change(writer, changes)
        state = apply({}, changes)
        _mount("--bind", str(index), str(index))
        _mount("-o", "remount,ro,bind", str(index))
        again = LanceStore(index, encoder="random", dimensions=DIMENSIONS)
        wrong += [f"index {number}: {fault}" for fault in faults(again, state)]
        try:
            with again.writer() as writer:
                change(writer, draw_changes(chance, 2))
            wrong.append(f"index {number}: it was written")
        except IndexStoreError as error:
            if "\n" in str(error):
                wrong.append(f"index {number}: more than a line: {error}")
        wrong += [f"index {number}, later: {fault}" for fault in faults(again, state)]
        _mount("--lazy", str(index), program="umount")
    return {"faults": wrong}


def _mount(*arguments: str, program: str = "mount") -> None:
    subprocess.run([program, *arguments], check=True)


_PARTS = {"full-disk": _fill_disks, "read-only": _read_read_only}

if __name__ == "__main__":
    name, place, times, drawn = sys.argv[1:]
    print(json.dumps(_PARTS[name](Path(place), int(times), int(drawn))))
