from seminar.retrieval.hybrid import hybrid
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder, MemoryStore

TEXTS = ("the ferry leaves at noon", "boats go at midday", "the tower is old")


def test_words_and_vectors_are_both_searched():
    encoder, store = FakeEncoder(dimensions=16), MemoryStore()
    passages = [Passage(f"{n}.md", 0, len(text), text) for n, text in enumerate(TEXTS)]
    store.add(passages, encoder.encode([passage.searched for passage in passages]))
    [hits] = hybrid(store, encoder).search([Query("ferry noon")], k=3)
    assert hits[0].passage.source == "0.md"
    assert len(hits) == 3  # words find one; the vectors rank the others too
