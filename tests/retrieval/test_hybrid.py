from seminar.retrieval.hybrid import hybrid
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder
from tests.memory_index import MemoryIndex

TEXTS = ("the ferry leaves at noon", "boats go at midday", "the tower is old")


def test_words_and_vectors_are_both_searched():
    encoder, index = FakeEncoder(), MemoryIndex()
    passages = [Passage(f"{n}.md", 0, len(text), text) for n, text in enumerate(TEXTS)]
    index.add(passages, encoder.encode([passage.searched for passage in passages]))
    [hits] = hybrid(index, encoder).search([Query("ferry noon")], k=3)
    assert hits[0].passage.source == "0.md"
    assert len(hits) == 3  # words find one; the vectors rank the others too
