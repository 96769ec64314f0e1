from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("lancedb")

from seminar.errors import IndexStoreError
from seminar.networks.checkpoints import tokenizer_of
from seminar.networks.papers.dpr.bi_encoder import pretrained, sides
from seminar.networks.papers.dpr.inputs import DprInputs
from seminar.training.papers.dpr.corpus import index_corpus, retriever
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder


def corpus(count: int = 23) -> list[Passage]:
    texts = [f"The {number}th lamp was lit in {1800 + number}." for number in range(count)]
    return [
        Passage(f"wiki:{at}", 0, len(text), text, title=f"Lamp {at}")
        for at, text in enumerate(texts)
    ]


class KilledError(Exception):
    """What ends a run in the middle of a part."""


@dataclass
class Counting:
    """An encoder that counts what it is given, and may be killed."""

    name: str = "fake"
    dimensions: int = 64
    killed_after: int = 1_000_000
    texts: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]):
        if len(self.texts) + len(texts) > self.killed_after:
            raise KilledError
        self.texts += texts
        return FakeEncoder().encode(texts)


def content(store) -> list[tuple[str, float]]:
    query = Query("lamp", vector=FakeEncoder().encode(["The 7th lamp was lit in 1807."])[0])
    [hits] = store.search_vector([query], 100)
    return [(hit.passage.searched, hit.score) for hit in hits]


def test_a_run_that_was_killed_goes_on_and_ends_as_one_that_was_not(tmp_path):
    whole = index_corpus(corpus(), Counting(), tmp_path / "whole", part=5)
    first, second = Counting(killed_after=12), Counting()
    with pytest.raises(KilledError):
        index_corpus(corpus(), first, tmp_path / "parts", part=5)
    resumed = index_corpus(corpus(), second, tmp_path / "parts", part=5)
    assert (len(first.texts), len(second.texts)) == (10, 13)
    assert resumed.count() == whole.count() == 23
    assert content(resumed) == content(whole)


def test_a_stream_that_breaks_keeps_what_was_published(tmp_path):
    def broken() -> Iterator[Passage]:
        yield from corpus()[:14]
        raise KilledError

    with pytest.raises(KilledError):
        index_corpus(broken(), Counting(), tmp_path, part=5)
    encoder = Counting()
    assert index_corpus(corpus(), encoder, tmp_path, part=5).count() == 23
    assert len(encoder.texts) == 13


def test_only_what_changed_is_encoded_again(tmp_path):
    index_corpus(corpus(), Counting(), tmp_path, part=5)
    changed = corpus(20)
    changed[7] = replace(changed[7], text="It was never lit.")
    encoder = Counting()
    store = index_corpus(changed, encoder, tmp_path, part=5)
    assert encoder.texts == [one.searched for one in changed[5:10]]
    assert store.count() == 20


def test_an_index_is_filled_by_one_encoder_only(tmp_path):
    index_corpus(corpus(), Counting(), tmp_path, part=5)
    with pytest.raises(IndexStoreError, match="made with encoder 'fake'"):
        index_corpus(corpus(), Counting(name="bi-encoder 12ab"), tmp_path, part=5)


def test_a_bi_encoder_finds_what_has_the_highest_dot_product(tmp_path):
    network = pretrained("tiny", dropout=0.0, questions_only=False)
    both = sides(network, DprInputs(tokenizer_of("tiny")), name="b", lengths=(32, 32))
    known = corpus(8)
    store = index_corpus(known, both.passages, tmp_path, part=5)
    [hits] = retriever(store, both).search([Query("Who lit [SEP] Ann [SEP] when?")], k=3)
    vectors = both.passages.encode([one.searched for one in known])
    scores = vectors @ both.questions.encode(["Who lit [SEP] Ann [SEP] when?"])[0]
    assert [hit.passage for hit in hits] == [known[at] for at in np.argsort(-scores)[:3]]
    assert hits[0].score == pytest.approx(float(scores.max()), rel=1e-3)
