"""A small run of the simulated study: what holds for 500 workers holds for 60."""

import pytest

from benchmarks.collection_simulation import measure, owed
from benchmarks.simulated_study import LIMIT, TICK, by_chance, maximised, new_run, simulate
from seminar.collection.pay.ledger import balances


@pytest.mark.parametrize("pairing", [maximised, by_chance])
@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_is_stuck_and_everybody_is_paid(pairing, seed: int):
    run = simulate(new_run(60, pairing, seed))
    assert len(run.dialogs) > 50
    assert run.faults == []
    assert all(dialog.state == "ended" for dialog in run.dialogs.values())
    assert not any(one.busy or one.since is not None for one in run.people.values())
    assert max(run.waits) <= LIMIT + TICK
    assert {name: cents for name, cents in balances(run.ledger).items() if cents} == owed(run)


def test_a_study_can_be_held_again():
    first, second = (measure(simulate(new_run(30, maximised, 5))) for _ in range(2))
    assert first == second
