"""Faults around an index: kills, power cuts, clocks, full disks, changing files, many processes.

    scripts/soak [--short] [--only NAME] [--tries N] [--seed 1]

Every scenario has real processes write a real index, and compares what it then holds with what was
acknowledged: every acknowledged file answers, none half, none stale. What a machine can't do (no C
compiler, no mount) is named and left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.crash_safety import kill_often
from benchmarks.results import read_result, write_result
from benchmarks.soak_files import changing_files
from benchmarks.soak_mounts import full_disk, read_only
from benchmarks.soak_power import clock_jumps, power_cuts
from benchmarks.soak_processes import readers_beside_a_writer, two_writers


@dataclass
class Outcome:
    """What became of a scenario: how many tries, the faults, or why it can't be tried here."""

    tries: int = 0
    faults: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    left_out: str = ""
    seconds: float = 0.0


def kills(folder: Path, tries: int, seed: int) -> dict[str, object]:
    """Processes that build, update and optimise an index, killed (SIGKILL) at random moments."""
    tally = kill_often(folder / "index", tries, seed)
    counts = {"publications": tally.publications, "under way": tally.under_way_dropped}
    return {"faults": tally.faults, "counts": counts}


# The scenario, and how often it is tried in the short form and in the long one.
SCENARIOS: dict[str, tuple[Callable[[Path, int, int], dict[str, object]], int, int]] = {
    "kills": (kills, 2, 200),
    "power cuts": (power_cuts, 2, 100),
    "clock jumps": (clock_jumps, 1, 20),
    "full disk": (full_disk, 1, 20),
    "read-only index": (read_only, 1, 5),
    "files that change while they are read": (changing_files, 1, 20),
    "two writers": (two_writers, 1, 10),
    "readers beside a writer": (readers_beside_a_writer, 1, 10),
}


def soak(name: str, *, short: bool, seed: int, tries: int | None = None) -> Outcome:
    """Run one scenario in a folder of its own."""
    scenario, few, many = SCENARIOS[name]
    tries = tries or (few if short else many)
    begun = time.monotonic()
    with TemporaryDirectory() as folder:
        outcome = Outcome(tries, **scenario(Path(folder), tries, seed))  # type: ignore[arg-type]
    outcome.seconds = round(time.monotonic() - begun, 1)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a try or two of each, in a minute")
    parser.add_argument("--only", choices=SCENARIOS, action="append")
    parser.add_argument("--tries", type=int, help="in place of each scenario's own number")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes = {}
    for name in options.only or SCENARIOS:
        outcome = outcomes[name] = soak(
            name, short=options.short, seed=options.seed, tries=options.tries
        )
        faults = f"{len(outcome.faults)} faults" if not outcome.left_out else outcome.left_out
        print(f"{name}: {outcome.tries} tries, {faults}, {outcome.seconds} s", file=sys.stderr)
        for fault in outcome.faults[:5]:
            print(f"  {fault}", file=sys.stderr)
    if not options.short:
        measured = {name: {"seed": options.seed, **asdict(one)} for name, one in outcomes.items()}
        write_result("soak", read_result("soak") | measured)
    return 1 if any(outcome.faults for outcome in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
