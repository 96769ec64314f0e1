from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.errors import ScoringError
from seminar.metrics.official.disentanglement import (
    exact_match_f1,
    link_f1,
    one_to_one,
    variation_of_information,
)

MESSAGES = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("wxyz")), min_size=1, max_size=12)


def test_variation_of_information_is_scaled_by_the_most_it_can_be():
    assert variation_of_information("abcd", "xxxx") == 0.0
    # H(gold | found) = 1/2 bit, H(found | gold) = 0, log2(4) = 2
    assert variation_of_information("aabb", "aabc") == pytest.approx(75.0)
    assert variation_of_information("a", "x") == 100.0


def test_one_to_one_moves_a_pair_where_that_gains():
    # x overlaps a by 3 and b by 2; y only a, by 2: the best pairing is a-y, b-x
    assert one_to_one("aaaaabb", "xxxyyxx") == pytest.approx(100 * 4 / 7)


@settings(max_examples=50, deadline=None)
@given(MESSAGES)
def test_one_to_one_is_the_best_of_all_pairings(messages: list[tuple[int, str]]):
    gold, found = zip(*messages, strict=True)
    names = sorted(set(gold))
    overlaps = Counter(messages)
    best = max(
        sum(overlaps[pair] for pair in zip(names, chosen, strict=True))
        for chosen in permutations([*sorted(set(found)), *(None for _ in names)], len(names))
    )
    assert one_to_one(gold, found) == pytest.approx(100 * best / len(messages))


def test_exact_match_leaves_out_messages_alone():
    assert exact_match_f1("aabcc", "xxyzw") == pytest.approx(200 / 3)
    assert exact_match_f1("abc", "xyz") == 100.0


def test_links_are_pairs_and_a_beginning_is_one_with_itself():
    assert link_f1([(0, 0), (1, 0), (2, 1)], [(0, 0), (1, 0), (2, 0)]) == pytest.approx(200 / 3)


def test_splits_of_different_length_do_not_compare():
    with pytest.raises(ScoringError, match="3 messages have a conversation, but 2 were given one"):
        one_to_one("abc", "ab")
