"""The part of the `FileIndex` contract about files, writers and versions.

Each check takes a function that opens the same index again, empty at first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from seminar.errors import IndexStoreError
from seminar.retrieval.file_index import FileIndex, FileRecord, IndexedFile, IndexWriter
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder()
OpenIndex = Callable[[], FileIndex]


def text_file(path: str, *texts: str, digest: str = "1") -> IndexedFile:
    passages = [Passage(path, 100 * n, 100 * n + len(text), text) for n, text in enumerate(texts)]
    return IndexedFile(path, digest, tuple(passages))


def put(writer: IndexWriter, *files: IndexedFile) -> None:
    texts = [passage.searched for file in files for passage in file.passages]
    writer.add(files, ENCODER.encode(texts))


def matches(index: FileIndex, text: str) -> list[str]:
    [hits] = index.search_text([Query(text)], k=1_000)
    return sorted(hit.passage.text for hit in hits)


def with_two_files(open_index: OpenIndex) -> FileIndex:
    index = open_index()
    with index.writer() as writer:
        put(writer, text_file("a.md", "red tower", "red bridge"), text_file("b.md", "red ship"))
    return index


def new_index_is_empty_and_names_its_encoder(open_index: OpenIndex) -> None:
    index = open_index()
    assert (index.encoder_name, index.dimensions) == (ENCODER.name, ENCODER.dimensions)
    assert index.files() == {}
    assert dict(index.scopes()) == {}
    assert index.passages([]) == []
    assert index.passages(["a.md", "b.md"]) == [[], []]


def files_are_recorded_with_hash_and_number_of_passages(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    assert index.count() == 3
    assert index.files() == {
        "a.md": FileRecord("a.md", "1", passages=2),
        "b.md": FileRecord("b.md", "1", passages=1),
    }


def passages_of_a_file_come_by_source_and_offset(open_index: OpenIndex) -> None:
    index = open_index()
    threads = (Passage("box#b", 0, 3, "two"), Passage("box#a", 9, 12, "red"))
    with index.writer() as writer:
        put(writer, IndexedFile("box", "1", (*threads, Passage("box#a", 0, 3, "one"))))
        put(writer, text_file("a.md", "ship"))
    found = [passage.text for passage in index.file_passages("box", limit=10)]
    assert found == ["one", "red", "two"]
    assert len(index.file_passages("box", limit=2)) == 2
    assert index.file_passages("c.md", limit=10) == []


def unreadable_file_is_recorded_with_its_problem(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    with index.writer() as writer:
        put(writer, IndexedFile("scan.pdf", "9", problem="no text in it"))
    assert index.files()["scan.pdf"] == FileRecord("scan.pdf", "9", problem="no text in it")
    assert index.count() == 3


def file_added_again_replaces_all_its_passages(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    with index.writer() as writer:
        put(writer, text_file("a.md", "green tower", digest="2"))
    assert matches(index, "red") == ["red ship"]
    assert matches(index, "tower") == ["green tower"]
    assert index.files()["a.md"] == FileRecord("a.md", "2", passages=1)


def last_change_of_a_file_counts(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    with index.writer() as writer:
        put(writer, text_file("a.md", "green tower", digest="2"))
        put(writer, text_file("a.md", "blue tower", "blue bridge", digest="3"))
        writer.remove(["b.md"])
        put(writer, text_file("c.md", "blue ship"))
        writer.remove(["c.md", "never.md"])
    assert matches(index, "red green blue") == ["blue bridge", "blue tower"]
    assert index.files() == {"a.md": FileRecord("a.md", "3", passages=2)}


def file_is_removed_with_the_passages_of_all_its_sources(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    letters = [Passage(f"mail.mbox#{n}", 0, 12, f"red letter {n}") for n in range(3)]
    with index.writer() as writer:
        put(writer, IndexedFile("mail.mbox", "1", tuple(letters)))
    assert len(matches(index, "letter")) == 3
    with index.writer() as writer:
        writer.remove(["mail.mbox"])
    assert matches(index, "letter") == []
    assert set(index.files()) == {"a.md", "b.md"}


def deleted_source_is_forgotten_as_a_file(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    index.delete(["a.md"])
    assert matches(index, "red") == ["red ship"]
    assert set(index.files()) == {"b.md"}


def file_in_parts_is_published_only_when_complete(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    first, last = text_file("a.md", "blue tower", digest="2"), text_file("a.md", "blue bridge")
    last = replace(
        last, hash="2", passages=tuple(replace(p, start=100, end=111) for p in last.passages)
    )
    with index.writer() as writer:
        assert not writer.has_incomplete_file
        put(writer, replace(first, complete=False))
        assert writer.has_incomplete_file
        with pytest.raises(IndexStoreError, match=r"only a part of 'a\.md' has been added"):
            writer.publish()
        put(writer, last)
        assert not writer.has_incomplete_file
    assert matches(index, "blue") == ["blue bridge", "blue tower"]
    assert matches(index, "red") == ["red ship"]
    assert index.files()["a.md"] == FileRecord("a.md", "2", passages=2)


def exception_discards_only_what_was_not_published(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)

    def fail_halfway() -> None:
        with index.writer() as writer:
            put(writer, text_file("c.md", "red crane"))
            writer.publish()
            writer.remove(["a.md"])
            put(writer, text_file("d.md", *[f"red duck {n}" for n in range(3_000)]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_halfway()
    reopened = open_index()
    assert matches(reopened, "red") == ["red bridge", "red crane", "red ship", "red tower"]
    with reopened.writer() as writer:
        put(writer, text_file("e.md", "red eel"))
    assert reopened.count() == 5
    assert set(reopened.files()) == {"a.md", "b.md", "c.md", "e.md"}


def searches_see_a_publication_only_after_a_refresh(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    reader = open_index()
    with index.writer() as writer:
        writer.remove(["b.md"])
        put(writer, text_file("c.md", *[f"red crane {n}" for n in range(300)]))
        assert open_index().count() == 3
        writer.publish()
        assert open_index().count() == 302
    assert matches(reader, "red") == ["red bridge", "red ship", "red tower"]
    assert reader.passages(["b.md"]) != [[]]
    reader.refresh()
    assert reader.count() == index.count() == 302
    assert reader.passages(["b.md"]) == [[]]


def second_writer_is_refused_until_the_first_is_done(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    other = open_index()
    with (
        index.writer(),
        pytest.raises(IndexStoreError, match="being written"),
        other.writer(timeout=0.05),
    ):
        pass
    other.delete(["a.md"])
    assert other.count() == 1


def vectors_of_another_shape_are_refused(open_index: OpenIndex) -> None:
    index = with_two_files(open_index)
    with pytest.raises(IndexStoreError, match=r"1 passages came with vectors of shape \(2, 64\)"):
        index.add([Passage("c.md", 0, 3, "red")], ENCODER.encode(["a", "b"]))
    with pytest.raises(IndexStoreError, match="vectors of shape"), index.writer() as writer:
        writer.add([text_file("c.md", "red")], ENCODER.encode(["red"])[:, :8])
    with pytest.raises(IndexStoreError, match="has a vector of shape None"):
        index.search_vector([Query("red")], k=1)
    with pytest.raises(IndexStoreError, match=r"has a vector of shape \(8,\)"):
        index.search_vector([Query("red", vector=ENCODER.encode(["red"])[0, :8])], k=1)
    assert index.count() == 3
    assert set(index.files()) == {"a.md", "b.md"}


def scopes_are_counted(open_index: OpenIndex) -> None:
    index = open_index()
    scopes = ["docs/a", "docs/a", "docs", "", "d'oc/塔"]
    passages = [Passage(f"{n}.md", 0, 3, "red", scope=name) for n, name in enumerate(scopes)]
    index.add(passages, ENCODER.encode(["red"] * len(passages)))
    assert dict(index.scopes()) == {"docs/a": 2, "docs": 1, "": 1, "d'oc/塔": 1}


def passages_are_given_by_source_in_the_order_of_offsets(open_index: OpenIndex) -> None:
    index = open_index()
    quoted = 'it\'s "100%" 塔_.md'
    later, earlier = Passage("a.md", 500, 509, "red tower"), Passage("a.md", 60, 70, "red bridge")
    other = Passage(quoted, 0, 8, "red ship")
    with index.writer() as writer:
        put(writer, IndexedFile("mail.mbox", "1", (later, other, earlier)))
    assert index.passages([quoted, "a.md", "never.md", "a.md"]) == [
        [other],
        [earlier, later],
        [],
        [earlier, later],
    ]


FILE_CHECKS: list[Callable[[OpenIndex], None]] = [
    new_index_is_empty_and_names_its_encoder,
    files_are_recorded_with_hash_and_number_of_passages,
    passages_of_a_file_come_by_source_and_offset,
    unreadable_file_is_recorded_with_its_problem,
    file_added_again_replaces_all_its_passages,
    last_change_of_a_file_counts,
    file_is_removed_with_the_passages_of_all_its_sources,
    deleted_source_is_forgotten_as_a_file,
    file_in_parts_is_published_only_when_complete,
    exception_discards_only_what_was_not_published,
    searches_see_a_publication_only_after_a_refresh,
    second_writer_is_refused_until_the_first_is_done,
    vectors_of_another_shape_are_refused,
    scopes_are_counted,
    passages_are_given_by_source_in_the_order_of_offsets,
]
