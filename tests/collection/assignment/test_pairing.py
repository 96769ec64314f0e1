import random
from itertools import combinations

import pytest

from seminar.collection.assignment.pairing import CONSIDERED, Pair, Waiting, pair
from seminar.collection.records import Inclination

LEVELS: tuple[Inclination, ...] = (-2, -1, 0, 1, 2)


def waiting(worker: str, **inclinations: Inclination) -> Waiting:
    return Waiting(worker, inclinations)


def test_the_sum_over_all_pairs_counts():
    lobby = [
        waiting("ann", film=2),
        waiting("bob", film=-2, song=-1),
        waiting("cem", film=-1),
        waiting("dan", song=2),
    ]
    # ann + bob 4 leaves cem and dan alone; ann + cem 3 and dan + bob 3 are 6 together
    assert pair(lobby) == [Pair("ann", "cem", "film", 3), Pair("dan", "bob", "song", 3)]


def test_of_equal_pairs_those_who_waited_longest_are_taken():
    lobby = [waiting(name, film=-1) for name in ("ann", "bob")] + [waiting("cem", film=1)]
    assert pair(lobby) == [Pair("cem", "ann", "film", 2)]
    assert pair([lobby[1], lobby[0], lobby[2]]) == [Pair("cem", "bob", "film", 2)]


def test_nobody_meets_themselves_in_a_second_tab():
    lobby = [waiting("ann", film=1), waiting("ann", film=-1)]
    assert pair(lobby) == []


def test_those_who_must_not_meet_wait_on():
    lobby = [waiting("ann", film=1), waiting("bob", film=-1)]
    assert pair(lobby, apart={frozenset(("bob", "ann"))}) == []


def test_patient_workers_take_what_they_are_not_interested_in():
    ann = waiting("ann", film=1)
    indifferent = waiting("bob", film=0)
    assert pair([ann, indifferent]) == []
    patient = Waiting("bob", indifferent.inclinations, patient=True)
    assert pair([ann, patient]) == [Pair("ann", "bob", "film", 1)]
    neither = Waiting("cem", {"film": 0}, patient=True)
    assert pair([neither, patient]) == [Pair("cem", "bob", "film", 0)]


def test_a_long_lobby_is_paired_from_its_front():
    lobby = [waiting(f"t{n}", film=1) for n in range(CONSIDERED)]
    late = waiting("late", film=-1)
    assert pair([*lobby, late]) == []
    assert pair([late, *lobby]) == [Pair("t0", "late", "film", 2)]


@pytest.mark.parametrize("seed", range(5))
def test_no_other_pairs_have_a_larger_sum(seed: int):
    chance = random.Random(seed)
    lobby = [Waiting(f"w{n}", {topic: chance.choice(LEVELS) for topic in "abc"}) for n in range(6)]
    assert sum(one.total for one in pair(lobby)) == best_by_trying(lobby)


def best_by_trying(lobby: list[Waiting]) -> int:
    """The largest sum over all ways to make pairs."""
    best = 0
    for one, other in combinations(lobby, 2):
        rest = [person for person in lobby if person not in (one, other)]
        for found in pair([one, other]):
            best = max(best, found.total + best_by_trying(rest))
    return best
