"""The contents of an index: its files, scopes and passages."""

import numpy as np

from seminar.retrieval.contents import IndexContents
from seminar.retrieval.file_index import IndexedFile
from seminar.types import Passage
from tests.memory_index import MemoryIndex


def passage(source: str, scope: str) -> Passage:
    return Passage(source, 0, 4, "Dogs", scope=scope)


def index() -> MemoryIndex:
    files = [
        IndexedFile("ferry.md", "1", (passage("ferry.md", "ferry.md"),)),
        IndexedFile(
            "slack/general",
            "2",
            (
                passage("slack/general#1", "slack/general/1"),
                passage("slack/general#2", "slack/general/2"),
            ),
        ),
        IndexedFile("empty.md", "3"),
    ]
    made = MemoryIndex(dimensions=2)
    with made.writer() as writer:
        writer.add(files, np.zeros((3, 2), dtype=np.float32))
    return made


def test_files_with_passages_are_sources():
    assert IndexContents(index()).sources() == ["ferry.md", "slack/general"]


def test_scopes_are_counted_with_their_parents():
    assert IndexContents(index()).scopes() == {
        "ferry.md": 1,
        "slack": 2,
        "slack/general": 2,
        "slack/general/1": 1,
        "slack/general/2": 1,
    }


def test_a_path_has_the_passages_of_files_and_threads_below_it():
    contents = IndexContents(index())
    found = {
        path: [one.source for one in contents.passages(path, limit=9)]
        for path in ("", "slack", "slack/general/2", "ferry.md", "slack/gen")
    }
    assert found == {
        "": ["ferry.md", "slack/general#1", "slack/general#2"],
        "slack": ["slack/general#1", "slack/general#2"],
        "slack/general/2": ["slack/general#2"],
        "ferry.md": ["ferry.md"],
        "slack/gen": [],
    }


def test_no_more_passages_are_read_than_allowed():
    assert len(IndexContents(index()).passages("", limit=2)) == 2


def test_a_scope_bounds_what_is_held():
    contents = IndexContents(index(), "slack")
    assert contents.sources() == ["slack/general"]
    assert "ferry.md" not in contents.scopes()
    assert len(contents.passages("", limit=9)) == 2
