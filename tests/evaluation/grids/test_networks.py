import numpy as np

from seminar.evaluation.grids.networks import DotProducts
from seminar.types import Passage, Query


class Letters:
    """Counts of a, b and c, so that products can be told by hand."""

    name, dimensions = "letters", 3

    def encode(self, texts):
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32)


def retriever(*texts: str, scope: str = "") -> DotProducts:
    passages = [Passage(text, 0, len(text), text, scope=scope) for text in texts]
    passages.append(Passage("elsewhere", 0, 3, "aaa", scope="elsewhere"))
    return DotProducts(Letters(), passages, Letters().encode([one.text for one in passages]))


def test_passages_are_ranked_by_plain_dot_products():
    [hits] = retriever("ab", "aab", "c").search([Query("aab")], k=2)
    assert [(hit.passage.text, hit.score) for hit in hits] == [("aaa", 6.0), ("aab", 5.0)]


def test_a_scope_is_kept_to():
    [hits] = retriever("ab", "c", scope="here").search([Query("a", scope="here")], k=5)
    assert [hit.passage.text for hit in hits] == ["ab", "c"]


def test_nothing_asked_finds_nothing():
    assert retriever("ab").search([], k=5) == []
    assert retriever("ab").search([Query("a")], k=0) == [[]]
