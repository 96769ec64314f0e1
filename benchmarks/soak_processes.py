"""Several processes at one index: two that write, and readers beside one that writes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from benchmarks.crash_safety import (
    DIMENSIONS,
    FILES,
    MOST_PASSAGES,
    Editions,
    apply,
    change,
    faults,
    make_file,
    tell,
)
from seminar.errors import IndexBusyError
from seminar.retrieval.engines.lance.store import LanceStore

ROUNDS = 5
WAIT_SECONDS = 120.0  # of a writer for the other


def two_writers(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """Two processes make and change one index in turns; all that both acknowledged is there."""
    wrong: list[str] = []
    for number in range(tries):
        index = folder / str(number)
        owners = ["1", "2"]
        writers = [_start(index, owner, seed * 1_000 + number) for owner in owners]
        state: Editions = {}
        for writer in writers:
            state |= _end(writer, wrong)
        store = LanceStore(index, encoder="random", dimensions=DIMENSIONS)
        wrong += [f"index {number}: {fault}" for fault in faults(store, state)]
    return {"faults": wrong}


def readers_beside_a_writer(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """Whoever opens an index while it is written sees whole files of one edition each."""
    wrong, readings = list[str](), 0
    for number in range(tries):
        index = folder / str(number)
        LanceStore.create(index, encoder="random", dimensions=DIMENSIONS)
        writer = _start(index, "1", seed * 1_000 + number)
        while writer.poll() is None:
            store = LanceStore(index, encoder="random", dimensions=DIMENSIONS)
            wrong += [f"index {number}: {fault}" for fault in _mixtures(store)]
            readings += 1
        state = _end(writer, wrong)
        store = LanceStore(index, encoder="random", dimensions=DIMENSIONS)
        wrong += [f"index {number}, at its end: {fault}" for fault in faults(store, state)]
    return {"faults": wrong, "counts": {"readings": readings}}


def _mixtures(store: LanceStore) -> list[str]:
    """The files of which an opened index holds anything but all passages of one edition."""
    wrong = []
    for number in _numbers("1"):
        path = f"file{number}.txt"
        held = store.file_passages(path, limit=10 * MOST_PASSAGES)
        if not held:
            continue
        edition = int(held[0].text.split()[0].removeprefix("edition"))
        if set(held) != set(make_file(number, edition).passages):
            wrong.append(f"{path}: {len(held)} passages, not those of edition {edition}")
    return wrong


def _start(index: Path, owner: str, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.soak_processes", str(index), owner, str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _end(writer: subprocess.Popen[str], wrong: list[str]) -> Editions:
    """What a writer acknowledged."""
    told, errors = writer.communicate()
    if writer.returncode:
        wrong.append(f"a writer ended with {writer.returncode}: {errors[-500:]}")
    state: Editions = {}
    for line in told.splitlines():
        state = apply(state, json.loads(line)["published"])
    return state


def _numbers(owner: str) -> list[str]:
    return [f"{owner}{number:02}" for number in range(FILES)]


def _write(index: Path, owner: str, seed: int) -> None:
    """Publish some changes to the files of an owner, telling each."""
    chance = random.Random(f"{owner}/{seed}")
    for edition in range(ROUNDS):
        store = _open(index)
        drawn = chance.sample(_numbers(owner), k=chance.randint(1, 8))
        changes: Editions = {one: edition if chance.random() < 0.8 else None for one in drawn}
        with store.writer(timeout=WAIT_SECONDS) as writer:
            change(writer, changes)
        tell({"published": changes})


def _open(index: Path) -> LanceStore:
    """The index, made by whichever process comes first."""
    while True:
        try:
            return LanceStore.create(index, encoder="random", dimensions=DIMENSIONS)
        except IndexBusyError:  # the other one makes it, or writes its first change
            continue


if __name__ == "__main__":
    place, name, drawn_from = sys.argv[1:]
    _write(Path(place), name, int(drawn_from))
