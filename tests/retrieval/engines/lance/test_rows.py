"""Passages as rows and back."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from seminar.retrieval.engines.lance.rows import to_passage, to_table
from seminar.types import Link, Page, Passage, Utterance
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder(dimensions=4)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
OFFSET = st.integers(0, 2**40)
NEPAL = timezone(timedelta(hours=5, minutes=45))
TIMES = st.none() | st.datetimes() | st.datetimes(timezones=st.sampled_from([UTC, NEPAL]))
PASSAGES = st.builds(
    Passage,
    source=TEXT,
    start=OFFSET,
    end=OFFSET,
    text=TEXT,
    title=TEXT,
    section=TEXT,
    scope=TEXT,
    links=st.lists(st.builds(Link, OFFSET, OFFSET, TEXT), max_size=3).map(tuple),
    pages=st.lists(st.builds(Page, OFFSET, OFFSET, OFFSET), max_size=2).map(tuple),
    utterances=st.lists(
        st.builds(
            Utterance,
            key=TEXT,
            speaker=TEXT,
            text=TEXT,
            time=TIMES,
            start=OFFSET,
            end=OFFSET,
        ),
        max_size=2,
    ).map(tuple),
)


@given(st.lists(PASSAGES, max_size=4))
def test_every_passage_comes_back_as_it_was(passages: list[Passage]) -> None:
    vectors = ENCODER.encode([passage.text for passage in passages])
    rows = to_table(passages, ["file"] * len(passages), vectors).to_pylist()
    assert [to_passage(row) for row in rows] == passages
    assert [row["searched"] for row in rows] == [passage.searched for passage in passages]
