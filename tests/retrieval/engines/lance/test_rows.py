"""Passages as rows and back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.rows import to_passage, to_table
from seminar.types import LineMark, Link, Page, Passage, Place, Utterance
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder(dimensions=4)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
OFFSET = st.integers(0, 2**40)
NEPAL = timezone(timedelta(hours=5, minutes=45))
TIMES = st.none() | st.datetimes() | st.datetimes(timezones=st.sampled_from([UTC, NEPAL]))
LINES = st.lists(st.builds(LineMark, OFFSET, OFFSET), max_size=2).map(tuple)
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
            source=TEXT,
            lines=LINES,
        ),
        max_size=2,
    ).map(tuple),
    lines=LINES,
    places=st.lists(st.builds(Place, TEXT, OFFSET, OFFSET), max_size=2).map(tuple),
)


@settings(deadline=None)  # the first of them imports pyarrow
@given(st.lists(PASSAGES, max_size=4))
def test_rows_restore_every_passage_exactly(passages: list[Passage]) -> None:
    vectors = ENCODER.encode([passage.text for passage in passages])
    rows = to_table(passages, ["file"] * len(passages), vectors).to_pylist()
    assert [to_passage(row) for row in rows] == passages
    assert [row["searched"] for row in rows] == [passage.searched for passage in passages]


def test_rows_keep_the_time_zone_of_an_utterance() -> None:
    utterance = Utterance("1", "Zoë", "hello", datetime(2024, 5, 1, 9, 30, tzinfo=NEPAL))
    passage = Passage("a.txt", 0, 5, "hello", utterances=(utterance,))
    [row] = to_table([passage], ["a.txt"], ENCODER.encode(["hello"])).to_pylist()
    [restored] = to_passage(row).utterances
    assert restored.time is not None
    assert restored.time.isoformat() == "2024-05-01T09:30:00+05:45"


@pytest.mark.parametrize("field", ["source", "text", "title", "scope"])
def test_a_lone_surrogate_is_refused_with_the_passage_named(field: str) -> None:
    passage = replace(Passage("a.txt", 0, 9, "half"), **{field: "half \ud800"})
    with pytest.raises(IndexStoreError, match=r"#0-9' can't be stored as UTF-8: .* '\\ud800'"):
        to_table([passage], ["a.txt"], ENCODER.encode(["half"]))


def test_words_of_utterances_are_stored_once() -> None:
    said = "the ferry leaves at nine " * 8
    utterance = Utterance("1", "Zoë", said, None, 5, 5 + len(said))
    passage = Passage("a.txt", 0, 5 + len(said), f"Zoë: {said}", utterances=(utterance,))
    [row] = to_table([passage], ["a.txt"], ENCODER.encode(["hello"])).to_pylist()
    assert len(row["record"]) < len(said)
    assert to_passage(row) == passage


def test_changed_record_is_refused() -> None:
    passage = Passage("a.txt", 0, 5, "hello")
    [row] = to_table([passage], ["a.txt"], ENCODER.encode(["hello"])).to_pylist()
    with pytest.raises(ValueError, match="not as it was written"):
        to_passage({**row, "record": row["record"].replace(b"a.txt", b"b.txt")})
