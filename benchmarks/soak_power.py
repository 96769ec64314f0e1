"""Power cuts and clocks that jump, through a library preloaded into the process that writes."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from benchmarks.crash_safety import DIMENSIONS, Editions, Tally, acknowledged, check, run_and_kill
from benchmarks.power_loss import build_shim, cut_power, remember
from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.repair import verify

NO_COMPILER = "needs a C compiler on Linux"
JUMP_SECONDS = 100_000


def power_cuts(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """What was acknowledged is there after a power cut; what was under way is whole or absent."""
    shim = build_shim(folder)
    if shim is None:
        return {"left_out": NO_COMPILER}
    chance, tally, state = random.Random(seed), Tally(), Editions()
    index, kept = folder / "index", folder / "kept"
    index.mkdir()
    remember(index, kept)
    variables = {"LD_PRELOAD": str(shim), "SHIM_KEEP": str(kept)}
    changed = 0
    for number in range(tries):
        lines, wait = chance.randint(1, 12), chance.uniform(0.0, 0.25)
        told = run_and_kill(
            index, seed * 1_000 + number, lines=lines, wait=wait, environment=variables
        )
        changed += cut_power(index, kept, chance)
        before, under_way = acknowledged(state, told, tally)
        try:
            state = check(index, before, under_way, tally)
        except IndexStoreError as error:
            if before:
                tally.faults.append(f"after cut {number}: {error}")
            shutil.rmtree(index)
            index.mkdir()
            state = {}
        remember(index, kept)
    counts = {"publications": tally.publications, "files and entries lost or torn": changed}
    return {"faults": tally.faults, "counts": counts}


def clock_jumps(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """A clock that jumps by a day, to and fro, costs nothing and leaves nothing unchecked."""
    shim = build_shim(folder)
    if shim is None:
        return {"left_out": NO_COMPILER}
    chance, tally, state = random.Random(seed), Tally(), Editions()
    index = folder / "index"
    variables = {"LD_PRELOAD": str(shim), "SHIM_CLOCK": str(JUMP_SECONDS)}
    for number in range(tries):
        told = run_and_kill(
            index, seed * 1_000 + number, lines=12, wait=chance.random(), environment=variables
        )
        state = check(index, *acknowledged(state, told, tally), tally)
        tally.faults += [f"after jump {number}: {fault}" for fault in verify(index)]
    counts = {"publications": tally.publications, "dimensions": DIMENSIONS}
    return {"faults": tally.faults, "counts": counts}
