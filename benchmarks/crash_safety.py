"""Kill an indexing process at random moments and see that nothing acknowledged is ever lost.

A child process changes an index, a few files at a time, and tells what it is about to publish and
what it has published. The parent kills it (SIGKILL), opens the index and compares: it must hold
what was acknowledged, or that and the whole of the publication that was under way.

    scripts/bench crash_safety [--kills 50] [--seed 1] [--to benchmarks/results/kill.json]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

from seminar.index_marker import is_index
from seminar.retrieval.engines.lance.store import LanceStore
from seminar.retrieval.file_index import IndexedFile, IndexWriter
from seminar.types import Matrix, Passage, Query

DIMENSIONS = 32
FILES = 40
MOST_PASSAGES = 60
WORDS = "amber basalt cedar delta ember fjord granite harbour iris juniper".split()

Editions = dict[str, int | None]  # file number -> its edition, or None where it was removed


@dataclass
class Tally:
    """What the kills found; every list of faults must be empty."""

    kills: int = 0
    publications: int = 0
    before_first: int = 0
    under_way_kept: int = 0
    under_way_dropped: int = 0
    open_seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def make_file(number: str, edition: int) -> IndexedFile:
    """A file whose passages all carry its number and edition, so that any mixture shows."""
    chance = random.Random(f"{number}/{edition}")
    path = f"file{number}.txt"
    passages = []
    for place in range(chance.randint(1, MOST_PASSAGES)):
        text = f"edition{edition} " + " ".join(chance.choices(WORDS, k=30))
        passages.append(Passage(path, place * 1_000, place * 1_000 + len(text), text, title=path))
    return IndexedFile(path, f"edition{edition}", tuple(passages))


def make_vectors(rows: int) -> Matrix:
    drawn = np.random.default_rng(rows).standard_normal((rows, DIMENSIONS)).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), dtype=np.float32)


def work(folder: Path, seed: int) -> None:
    """Change the index without end, telling what is about to be and what has been published."""
    chance = random.Random(seed)
    tell({"started": True})
    store = LanceStore.create(folder, encoder="random", dimensions=DIMENSIONS)
    edition = seed * 1_000
    while True:
        # No old version is kept for readers: cleaning up is what could lose the most.
        with store.writer(reader_seconds=0.0) as writer:
            for _ in range(chance.randint(1, 4)):
                edition += 1
                changes = draw_changes(chance, edition)
                tell({"publishing": changes})
                change(writer, changes)
                writer.publish()
                tell({"published": changes})


def draw_changes(chance: random.Random, edition: int) -> Editions:
    numbers = chance.sample(range(FILES), k=chance.randint(1, 8))
    return {str(number): edition if chance.random() < 0.8 else None for number in numbers}


def change(writer: IndexWriter, changes: Editions) -> None:
    files = [make_file(number, to) for number, to in changes.items() if to is not None]
    writer.remove(f"file{number}.txt" for number, to in changes.items() if to is None)
    writer.add(files, make_vectors(sum(len(file.passages) for file in files)))


def tell(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


def run_and_kill(
    folder: Path,
    seed: int,
    *,
    lines: int,
    wait: float,
    environment: Mapping[str, str] | None = None,
) -> list[dict[str, Editions]]:
    """Start a child, kill it some seconds after so many lines, and return all that it told."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.crash_safety",
        "--work",
        str(folder),
        "--seed",
        str(seed),
    ]
    variables = {**os.environ, **(environment or {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables) as child:
        if child.stdout is None:
            raise RuntimeError("the child has no output to read")
        told = [child.stdout.readline() for _ in range(lines)]
        time.sleep(wait)
        child.kill()
        told += child.stdout.readlines()
    if child.returncode != -9:
        raise RuntimeError(f"the child ended by itself with code {child.returncode}")
    return [json.loads(line) for line in told if line.endswith("\n")]


def apply(state: Editions, changes: Editions) -> Editions:
    return {number: to for number, to in (state | changes).items() if to is not None}


def faults(store: LanceStore, state: Editions) -> list[str]:
    """Where an index differs from the files that it should hold."""
    files = [make_file(number, to) for number, to in state.items() if to is not None]
    wrong = []
    if {path: file.hash for path, file in store.files().items()} != {f.path: f.hash for f in files}:
        wrong.append("the records differ")
    if store.count() != sum(len(file.passages) for file in files):
        wrong.append(f"{store.count()} passages are there")
    rankings = store.search_text([Query(file.path) for file in files], k=10 * MOST_PASSAGES)
    for file, hits in zip(files, rankings, strict=True):
        found = {hit.passage for hit in hits if hit.passage.source == file.path}
        if found != set(file.passages):
            wrong.append(f"{file.path}: {len(found)} of {len(file.passages)} passages found")
    nearest = store.search_vector([Query("", vector=make_vectors(1)[0])], k=5)[0]
    if len(nearest) != min(5, store.count()):
        wrong.append(f"vector search found {len(nearest)}")
    return wrong


def check(folder: Path, state: Editions, under_way: Editions | None, tally: Tally) -> Editions:
    """Open the index after a kill; what it holds is the state from which the next child starts."""
    if not is_index(folder):
        tally.before_first += 1
        if state:
            tally.faults.append("the index is gone")
        return state
    begun = time.perf_counter()
    store = LanceStore(folder, encoder="random", dimensions=DIMENSIONS)
    tally.open_seconds.append(round(time.perf_counter() - begun, 4))
    wrong = faults(store, state)
    if under_way is None or not wrong:
        tally.under_way_dropped += under_way is not None
        tally.faults += wrong
        return state
    following = apply(state, under_way)
    still_wrong = faults(store, following)
    tally.under_way_kept += not still_wrong
    tally.faults += still_wrong
    return following


def kill_often(folder: Path, kills: int, seed: int) -> Tally:
    """Kill that many children in turn; each fifth makes an index, the others go on with one."""
    chance = random.Random(seed)
    tally, state = Tally(), Editions()
    for number in range(kills):
        child_seed = seed * 1_000 + number
        if number % 5 == 0:
            fresh = folder.with_name(f"{folder.name}-{number}")
            told = run_and_kill(fresh, child_seed, lines=1, wait=chance.uniform(0.0, 2.0))
            check(fresh, *acknowledged({}, told, tally), tally)
        else:
            lines, wait = chance.randint(1, 12), chance.uniform(0.0, 0.25)
            told = run_and_kill(folder, child_seed, lines=lines, wait=wait)
            state = check(folder, *acknowledged(state, told, tally), tally)
        tally.kills += 1
    return tally


def acknowledged(
    state: Editions, told: list[dict[str, Editions]], tally: Tally
) -> tuple[Editions, Editions | None]:
    """The state after all that a child said it had published, and what it was about to publish."""
    under_way: Editions | None = None
    for line in told:
        if "published" in line:
            state, under_way = apply(state, line["published"]), None
            tally.publications += 1
        under_way = line.get("publishing", under_way)
    return state, under_way


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=Path("benchmarks/results/kill.json"))
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        tally = kill_often(Path(folder) / "index", options.kills, options.seed)
    result = asdict(tally) | {
        "seed": options.seed,
        "lancedb": version("lancedb"),
        "python": platform.python_version(),
    }
    options.to.parent.mkdir(parents=True, exist_ok=True)
    options.to.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(json.dumps({key: value for key, value in result.items() if key != "open_seconds"}))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
