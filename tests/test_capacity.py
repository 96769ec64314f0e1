"""A plan from costs that are written out."""

import pytest

pytest.importorskip("bm25s")

from benchmarks.capacity import (
    GIB,
    Line,
    Measured,
    Prices,
    Wish,
    monthly,
    plan,
    search_exponent,
)

ANSWER = {"p50": 500.0, "p95": 800.0}
WISH = Wish(rate=1.0, p95=5.0, node_cores=2, node_memory=32 * GIB, build_cores=10)


def measured(passages: int, *, search: float = 20.0) -> Measured:
    """A thousand bytes and a thousandth of a second for each passage, beside what all have."""
    return Measured(
        passages,
        build_cpu_seconds=5 + passages / 1000,
        build_seconds=0,
        build_memory=0,
        disk=10_000 + 1_000 * passages,
        search_cpu_ms=search,
        search_memory=100.0 * passages,
    )


def test_costs_are_a_base_and_a_cost_for_each_passage():
    line = Line.through([10, 20, 40], [25.0, 45.0, 85.0])
    assert (line.base, line.per_passage) == pytest.approx((5.0, 2.0))
    assert line.at(1_000) == pytest.approx(2_005.0)


def test_plan_multiplies_what_was_measured_and_says_how_far_it_reaches():
    found = plan(1_000_000_000, [measured(10_000), measured(100_000)], ANSWER, WISH, 0)
    assert found["times the largest that was measured"] == 10_000
    assert found["index GB"] == pytest.approx(1_000.0)
    assert found["disk GB, with room for compaction"] == pytest.approx(2_000.0)
    assert found["build, core hours"] == pytest.approx(277.8)
    assert found["build, hours"] == pytest.approx(27.8)
    assert found["memory of a search process, GiB"] == pytest.approx(93.1)
    assert found["parts, so that one fits a node"] == 5  # of 22.4 GiB
    assert found["nodes that search"] == 5
    assert found["nodes"] == 5 + found["replicas"]
    small = plan(25_000_000, [measured(10_000), measured(100_000)], ANSWER, WISH, 0)
    assert (small["nodes that search"], small["nodes"]) == (0, small["replicas"])


def test_search_that_grows_is_extrapolated_by_its_exponent():
    exponent = search_exponent([(1_000, 10.0), (100_000, 100.0)])
    assert exponent == pytest.approx(0.5)
    sizes = [measured(1_000, search=10.0), measured(100_000, search=100.0)]
    found = plan(10_000_000, sizes, ANSWER, WISH, exponent)
    assert found["search, ms of a core"] == pytest.approx(1000.0)
    assert search_exponent([(1_000, 9.0), (9_000, 8.0)]) == 0


def test_month_costs_its_nodes_and_its_disk():
    found = {"nodes": 3, "disk GB, with room for compaction": 100.0}
    assert monthly(found, Prices(node=0.1, disk=0.02, build=0)) == pytest.approx(221.0)
    assert monthly({**found, "nodes": None}, Prices(1, 1, 1)) is None
