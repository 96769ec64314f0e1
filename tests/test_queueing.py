"""The simulation of load against replicas, beside what is known of queues."""

import numpy as np
import pytest

from benchmarks.queueing import Replicas, needed, poisson


def responses(replicas: int, arrivals: list[float], services: list[list[float]]) -> list[float]:
    found = Replicas(replicas).responses(np.array(arrivals), np.array(services))
    return [float(one) for one in found]


def test_question_goes_to_the_replica_with_the_fewest_open_ones():
    services = [[1.0], [2.0], [1.0], [1.0]]
    assert responses(2, [0.0, 0.0, 0.5, 3.0], services) == [1.0, 2.0, 1.5, 1.0]
    assert responses(2, [0.0, 0.0, 1.5], [[5.0], [1.0], [1.0]]) == [5.0, 1.0, 1.0]


def test_next_question_is_searched_while_the_one_before_is_read():
    assert responses(1, [0.0, 0.0], [[1.0, 2.0], [1.0, 2.0]]) == [3.0, 5.0]
    assert responses(1, [0.0, 0.0], [[2.0, 1.0], [2.0, 1.0]]) == [3.0, 5.0]


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_mean_response_of_one_exponential_server_is_that_of_its_formula(load: float):
    chance = np.random.default_rng(3)
    count = 100_000
    found = Replicas(1).responses(poisson(load, count, chance), chance.exponential(1.0, (count, 1)))
    assert found.mean() == pytest.approx(1 / (1 - load), rel=0.05)  # M/M/1


def test_two_stages_in_a_row_take_the_sum_of_both_formulas():
    chance = np.random.default_rng(4)
    count, load = 100_000, 0.6
    found = Replicas(1).responses(poisson(load, count, chance), chance.exponential(1.0, (count, 2)))
    assert found.mean() == pytest.approx(2 / (1 - load), rel=0.05)  # Burke's theorem


def test_replicas_that_are_needed_grow_with_the_rate_and_none_are_enough_for_the_impossible():
    services = np.full((100, 1), 1.0)
    few, many = needed(services, 0.5, 2.0, seed=1), needed(services, 5.0, 2.0, seed=1)
    assert few in (1, 2)
    assert many in range(6, 13)
    assert needed(services, 0.5, 0.9, seed=1) is None
