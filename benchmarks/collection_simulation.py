"""500 simulated workers of a PragmatiCQA study on a virtual clock: pairs, A/B shares and pay.

    scripts/bench collection_simulation [--workers N] [--seeds N]

The study is that of `benchmarks/simulated_study.py`; it needs no data. Compared are pairs that
maximise the sum of inclinations, and pairs by chance who take their best topic: as two whole
studies, and for the same lobbies.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from benchmarks.results import progress, write_result
from benchmarks.simulated_study import (
    BACKGROUND,
    PLAN,
    TOPIC,
    Run,
    by_chance,
    maximised,
    new_run,
    simulate,
)
from seminar.collection.assignment.arms import TARGET
from seminar.collection.assignment.pairing import Pair, Waiting
from seminar.collection.pay.ledger import balances, check_ledger
from seminar.collection.pay.schedule import turn_pay
from seminar.collection.pay.statements import statement
from seminar.collection.records import Dialog

STEPS = (50, 100, 200, 400, 800)  # completed dialogs


def owed(run: Run) -> dict[str, int]:
    """What each worker is owed, added up turn by turn, apart from the schedule and the ledger."""
    cents: Counter[str] = Counter()
    for name, course in run.courses.items():
        for seat in run.dialogs[name].seats:
            fixed = PLAN.base + PLAN.roles.get(seat.role, 0)
            if course.rounds < PLAN.minimum:
                halves = (PLAN.base, PLAN.roles.get(seat.role, 0))
                half = sum((amount + 1) // 2 for amount in halves)
                fixed = half if course.endings[seat.worker] == "partner left" else 0
            turns = sum(turn_pay(PLAN, number) for number in range(1, course.rounds + 1))
            cents[seat.worker] += fixed + turns
    return {name: amount for name, amount in cents.items() if amount}


def measure(run: Run) -> dict[str, object]:
    check_ledger(run.ledger)
    kept = sorted(
        (one for one in run.dialogs.values() if one.kept), key=lambda one: one.ended or one.began
    )
    ledger = {name: cents for name, cents in balances(run.ledger).items() if cents}
    statements = sum(Decimal(_last_amount(run, name)) for name in ledger)
    return {
        "dialogs": len(run.dialogs),
        "completed": len(kept),
        "shares": {technique: _share(kept, technique) for technique in (TOPIC, BACKGROUND)},
        "shares on the way": {
            step: {name: _share(kept[:step], name) for name in (TOPIC, BACKGROUND)}
            for step in STEPS
            if step <= len(kept)
        },
        "shares of all that began": {
            technique: _share(list(run.dialogs.values()), technique)
            for technique in (TOPIC, BACKGROUND)
        },
        "background tests of who skips": _share(
            [one for one in kept if any(run.people[name].skips for name in _workers([one]))],
            BACKGROUND,
        ),
        "both on": round(
            100 * sum(one.arms[TOPIC] and one.arms[BACKGROUND] for one in kept) / len(kept), 2
        ),
        "mean inclination of a pair": round(statistics.fmean(run.totals), 3),
        "summed inclination": sum(run.totals),
        "paid": sum(ledger.values()),
        "ledger equals what is owed": ledger == owed(run),
        "statements equal the ledger": 100 * statements == sum(ledger.values()),
        "never paired": len(run.people.keys() - _workers(run.dialogs.values())),
        "sent home": run.sent_home,
        "longest wait": round(max(run.waits)),
        "median wait": round(statistics.median(run.waits)),
        "stuck": sum(one.busy or one.since is not None for one in run.people.values()),
        "faults": run.faults,
    }


def _share(dialogs: Sequence[Dialog], technique: str) -> float:
    return round(100 * sum(one.arms[technique] for one in dialogs) / len(dialogs), 2)


def _workers(dialogs: Iterable[Dialog]) -> set[str]:
    return {seat.worker for dialog in dialogs for seat in dialog.seats}


def _last_amount(run: Run, worker: str) -> str:
    """The total on a worker's statement."""
    return statement(run.ledger, worker).splitlines()[-1].split(",")[4]


def same_lobbies(workers: int, seed: int) -> dict[str, float]:
    """The sums of both pairings for the same lobbies."""
    sums: defaultdict[str, int] = defaultdict(int)

    def both(waiting: Sequence[Waiting], chance: random.Random) -> list[Pair]:
        chosen = maximised(waiting, chance)
        sums["maximised"] += sum(one.total for one in chosen)
        sums["by chance"] += sum(one.total for one in by_chance(waiting, random.Random(seed)))
        return chosen

    simulate(new_run(workers, both, seed))
    return dict(sums)


def _summary(runs: Sequence[dict[str, dict[str, Any]]]) -> dict[str, object]:
    """The extremes over all studies: the worst one counts."""
    studies = [run[name] for run in runs for name in ("maximised", "by chance")]
    shares = {
        technique: [study["shares"][technique] for study in studies]
        for technique in (TOPIC, BACKGROUND)
    }
    gains = [run["same lobbies"] for run in runs]
    return {
        "dialogs": sum(study["dialogs"] for study in studies),
        "completed": sum(study["completed"] for study in studies),
        "shares, least and most": {name: [min(all_), max(all_)] for name, all_ in shares.items()},
        "same lobbies, sum maximised to sum by chance, least and most": [
            round(limit(gain["maximised"] / gain["by chance"] for gain in gains), 3)
            for limit in (min, max)
        ],
        "mean inclination of a pair": {
            name: round(
                statistics.fmean(run[name]["mean inclination of a pair"] for run in runs), 3
            )
            for name in ("maximised", "by chance")
        },
        "every ledger right": all(
            study["ledger equals what is owed"] and study["statements equal the ledger"]
            for study in studies
        ),
        "stuck": sum(study["stuck"] for study in studies),
        "faults": sum(len(study["faults"]) for study in studies),
        "never paired": sum(study["never paired"] for study in studies),
        "longest wait": max(study["longest wait"] for study in studies),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=500)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    runs = []
    for seed in progress(range(options.seeds), "Studies"):
        one = {
            name: measure(simulate(new_run(options.workers, pairing, seed)))
            for name, pairing in (("maximised", maximised), ("by chance", by_chance))
        }
        runs.append(one | {"same lobbies": same_lobbies(options.workers, seed)})
    settings = {"workers": options.workers, "target": 100 * TARGET, "seeds": options.seeds}
    write_result("collection_simulation", settings | {"summary": _summary(runs), "runs": runs})


if __name__ == "__main__":
    main()
