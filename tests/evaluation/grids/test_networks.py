from pathlib import Path

import numpy as np

from seminar.evaluation.grids.networks import PART, DotProducts, encoded
from seminar.types import Passage, Query


class Letters:
    """Counts of a, b and c, so that products can be computed by hand."""

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


class Counted(Letters):
    """Remembers how many texts it was given at a time."""

    def __init__(self) -> None:
        self.given: list[int] = []

    def encode(self, texts):
        self.given.append(len(texts))
        return super().encode(texts)


def test_a_corpus_is_encoded_in_parts_that_a_stopped_run_keeps(tmp_path: Path):
    passages = [Passage("p", 0, 1, "abc"[at % 3]) for at in range(PART + 2)]
    encoder = Counted()
    vectors = encoded(passages, encoder, tmp_path)
    assert encoder.given == [PART, 2]
    (tmp_path / f"{PART}.npy").unlink()
    assert np.array_equal(encoded(passages, encoder, tmp_path), vectors)
    assert encoder.given == [PART, 2, 2]
    assert vectors[:2].tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]


def test_nothing_asked_finds_nothing():
    assert retriever("ab").search([], k=5) == []
    assert retriever("ab").search([Query("a")], k=0) == [[]]
