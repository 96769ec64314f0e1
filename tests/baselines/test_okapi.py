import math

import pytest

from seminar.baselines.okapi import Okapi
from seminar.types import Passage, Query

RARE = math.log(2.5 / 1.5)  # the idf of a word in one of three passages
# A word in two of three has -RARE; so the average of a, b and c is -RARE / 3, a quarter of it:
COMMON = -RARE / 12


def passage(source: str, text: str, scope: str = "") -> Passage:
    return Passage(source, 0, len(text), text, scope=scope)


@pytest.fixture
def okapi() -> Okapi:
    return Okapi([passage("p", "a b", "x"), passage("q", "b c", "x/y"), passage("r", "c c", "z")])


def test_scores_by_hand(okapi: Okapi):
    # Every passage is of average length: tf(k1 + 1) / (tf + k1) is 1 for one, 5 / 3.5 for two.
    assert okapi.scores("a") == pytest.approx([RARE, 0.0, 0.0])
    assert okapi.scores("c") == pytest.approx([0.0, COMMON, COMMON * 5 / 3.5])
    assert okapi.scores("a c a") == pytest.approx([2 * RARE, COMMON, COMMON * 5 / 3.5])


def test_words_are_parted_by_spaces_and_keep_their_capitals(okapi: Okapi):
    assert okapi.scores("A b,") == [0.0, 0.0, 0.0]


def test_ranking_within_a_scope(okapi: Okapi):
    [everywhere, scoped, nowhere] = okapi.search(
        [Query("a"), Query("c", scope="x"), Query("a", scope="nothing")], k=2
    )
    assert [hit.passage.source for hit in everywhere] == ["p", "q"]
    assert [hit.passage.source for hit in scoped] == ["p", "q"]
    assert nowhere == []


def test_no_passages():
    assert Okapi([]).search([Query("a")], k=3) == [[]]
