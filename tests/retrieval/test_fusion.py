"""Rankings fused by reciprocal rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from seminar.errors import ConfigurationError
from seminar.retrieval.fusion import Fused
from seminar.types import Hit, Passage, Query


@dataclass(frozen=True)
class Fixed:
    """Ranks the same passages for every query, and remembers no question."""

    order: str

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        ranking = [Hit(Passage(name, 0, 1, name), 9.0 - n) for n, name in enumerate(self.order)]
        return [ranking[:k] for _ in queries]


def order(fused: Fused, k: int = 10) -> str:
    [hits] = fused.search([Query("any")], k)
    return "".join(hit.passage.text for hit in hits)


def test_what_both_rank_well_comes_first() -> None:
    assert order(Fused([Fixed("abc"), Fixed("cbd")])) == "cbad"


def test_the_score_is_the_sum_of_reciprocal_ranks() -> None:
    [hits] = Fused([Fixed("ab"), Fixed("b")]).search([Query("any")], k=2)
    assert [hit.passage.text for hit in hits] == ["b", "a"]
    assert [hit.score for hit in hits] == pytest.approx([1 / 62 + 1 / 61, 1 / 61])


def test_equal_scores_stand_in_the_order_of_ids() -> None:
    assert order(Fused([Fixed("ab"), Fixed("ba")])) == "ab"
    assert order(Fused([Fixed("x"), Fixed("c"), Fixed("p")])) == "cpx"


def test_weights_tell_whom_to_trust() -> None:
    assert order(Fused([Fixed("ab"), Fixed("ba")], weights=[1.0, 2.0])) == "ba"


def test_a_small_constant_favours_the_first_ranks() -> None:
    retrievers = [Fixed("abcdef"), Fixed("xbcdef")]
    assert order(Fused(retrievers, constant=60.0), k=1) == "b"
    assert order(Fused(retrievers, constant=0.0), k=2) == "ab"


def test_it_looks_deeper_than_it_answers() -> None:
    assert order(Fused([Fixed("abc"), Fixed("dec")], depth=3), k=1) == "c"
    assert order(Fused([Fixed("abc"), Fixed("dec")], depth=1), k=1) == "a"


def test_each_retriever_needs_a_weight() -> None:
    with pytest.raises(ConfigurationError, match="2 retrievers came with 1 weights"):
        Fused([Fixed("a"), Fixed("b")], weights=[1.0])
