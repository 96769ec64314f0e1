from collections.abc import Sequence

import numpy as np

from seminar.baselines.similarity import SentenceSimilarity
from seminar.examples import Example, Gold
from seminar.types import Matrix


class WordEncoder:
    """Unit vectors of word counts over a small vocabulary."""

    name = "words"
    words = ("lighthouse", "oil", "lamp", "she", "1904")

    def __init__(self) -> None:
        self.calls = 0

    @property
    def dimensions(self) -> int:
        return len(self.words)

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.calls += 1
        counts = np.array(
            [[text.lower().count(word) for word in self.words] for text in texts], np.float32
        )
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return (counts / np.maximum(lengths, 1e-9)).astype(np.float32)


def test_answers_with_the_nearest_sentence(dialog: list[Example]):
    encoder = WordEncoder()
    # "Who paid?" is near to none: of equal ones the first.
    assert [one.text for one in SentenceSimilarity(encoder).predict(dialog)] == [
        "Mira Holt built the lighthouse in 1871.",
        "She lit it with whale oil.",
        "Mira Holt built the lighthouse in 1871.",
    ]
    assert encoder.calls == 2  # the sentences and the questions of one dialog, once each


def test_section_without_words():
    empty = Example("e", "e", "Why?", Gold(("x",)), context="CANNOTANSWER")
    [prediction] = SentenceSimilarity(WordEncoder()).predict([empty])
    assert prediction.text == "CANNOTANSWER"


def test_no_examples():
    assert SentenceSimilarity(WordEncoder()).predict([]) == []
