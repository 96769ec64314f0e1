"""Retrieval by words."""

from __future__ import annotations

from pathlib import Path

import pytest

from seminar.retrieval.engines.lance.store import LanceStore
from seminar.retrieval.lexical import Lexical
from seminar.types import SEPARATOR, Passage, Query
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder(dimensions=8)


def lexical(folder: Path, *texts: str) -> Lexical:
    store = LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)
    passages = [Passage(f"{n}.md", 0, len(text), text) for n, text in enumerate(texts)]
    store.add(passages, ENCODER.encode(texts))
    return Lexical(store)


def test_rare_words_outrank_common_ones(tmp_path: Path) -> None:
    retriever = lexical(tmp_path, "red house", "red tower", "red bridge")
    [hits] = retriever.search([Query("the red tower")], k=3)
    assert hits[0].passage.text == "red tower"


def test_the_mark_between_turns_is_not_searched(tmp_path: Path) -> None:
    retriever = lexical(tmp_path, "sep", "the tower")
    [hits] = retriever.search([Query(f"tower{SEPARATOR}bridge")], k=3)
    assert [hit.passage.text for hit in hits] == ["the tower"]


def test_half_a_surrogate_pair_is_no_word(tmp_path: Path) -> None:
    retriever = lexical(tmp_path, "red house", "the tower")
    [hits] = retriever.search([Query("tower\ud800")], k=3)
    assert [hit.passage.text for hit in hits] == ["the tower"]


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("Who are The Who?", "The Who were a band."),
        ("runner", "She was running with other runners."),
        ("cafe", "Das Café am Ring."),
        ("CAFÉ", "Das Café am Ring."),
        ("東京", "東京タワーは塔です。"),
        ("foo", "call foo_bar now"),
        ("amazon", "see Amazon.com for it"),
    ],
)
def test_words_meet_in_all_their_forms(tmp_path: Path, question: str, passage: str) -> None:
    retriever = lexical(tmp_path, "An unrelated sentence.", passage)
    [hits] = retriever.search([Query(question)], k=3)
    assert [hit.passage.text for hit in hits] == [passage]
