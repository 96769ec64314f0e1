"""The embedded index: what is published, what is refused, and what outlives trouble."""

from __future__ import annotations

import os
import resource
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.crash_safety import kill_often
from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.store import LanceStore, describe, is_index
from seminar.retrieval.file_index import (
    FileRecord,
    IndexedFile,
    IndexWriter,
    UpdatePlan,
    plan_update,
)
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder

ENCODER = FakeEncoder(dimensions=8)


def open_store(folder: Path) -> LanceStore:
    return LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)


def text_file(path: str, *texts: str, digest: str = "1") -> IndexedFile:
    passages = [Passage(path, 100 * n, 100 * n + len(text), text) for n, text in enumerate(texts)]
    return IndexedFile(path, digest, tuple(passages))


def put(writer: IndexWriter, *files: IndexedFile) -> None:
    texts = [passage.searched for file in files for passage in file.passages]
    writer.add(files, ENCODER.encode(texts))


def found(store: LanceStore, text: str) -> list[str]:
    [hits] = store.search_text([Query(text)], k=1_000)
    return [hit.passage.text for hit in hits]


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    store = open_store(tmp_path / "index")
    with store.writer() as writer:
        put(writer, text_file("a.md", "red tower", "red bridge"), text_file("b.md", "red ship"))
    return store


def test_a_file_in_parts_is_published_only_when_whole(store: LanceStore) -> None:
    first, second = text_file("a.md", "blue tower", digest="2"), text_file("a.md", "blue bridge")
    with store.writer() as writer:
        put(writer, replace(first, complete=False))
        assert writer.has_incomplete_file
        with pytest.raises(IndexStoreError, match=r"only a part of 'a\.md' has been added"):
            writer.publish()
        put(writer, replace(second, hash="2"))
    assert sorted(found(store, "blue")) == ["blue bridge", "blue tower"]
    assert found(store, "red") == ["red ship"]
    assert store.files()["a.md"] == FileRecord("a.md", "2", passages=2)


def test_a_file_put_in_again_is_replaced_whole(store: LanceStore) -> None:
    with store.writer() as writer:
        put(writer, text_file("a.md", "green tower", digest="2"))
    assert found(store, "red") == ["red ship"]
    assert found(store, "tower") == ["green tower"]
    assert store.files()["a.md"] == FileRecord("a.md", "2", passages=1)


def test_the_last_of_several_editions_in_one_session_counts(store: LanceStore) -> None:
    with store.writer() as writer:
        put(writer, text_file("a.md", "green tower", digest="2"))
        put(writer, text_file("a.md", "blue tower", "blue bridge", digest="3"))
        writer.remove(["b.md"])
        put(writer, text_file("c.md", "blue ship"))
        writer.remove(["c.md"])
    assert sorted(found(store, "red green blue")) == ["blue bridge", "blue tower"]
    assert store.files() == {"a.md": FileRecord("a.md", "3", passages=2)}


def test_an_update_reads_what_changed_and_removes_what_vanished(store: LanceStore) -> None:
    plan = plan_update(store.files(), {"a.md": "2", "c.md": "1"})
    assert plan == UpdatePlan(read=("a.md", "c.md"), remove=("b.md",), keep=())
    plan = plan_update(store.files(), {"a.md": "1", "b.md": "1"})
    assert plan == UpdatePlan(read=(), remove=(), keep=("a.md", "b.md"))


def test_a_refused_file_is_read_again_only_when_it_changed(store: LanceStore) -> None:
    with store.writer() as writer:
        put(writer, IndexedFile("scan.pdf", "9", problem="no text in it"))
    assert store.files()["scan.pdf"].problem == "no text in it"
    current = {"a.md": "1", "b.md": "1", "scan.pdf": "9"}
    assert plan_update(store.files(), current).read == ()
    assert plan_update(store.files(), current | {"scan.pdf": "10"}).read == ("scan.pdf",)


def test_a_file_of_many_sources_is_removed_with_all_of_them(store: LanceStore) -> None:
    letters = [Passage(f"mail.mbox#{n}", 0, 10, f"red letter {n}") for n in range(3)]
    with store.writer() as writer:
        put(writer, IndexedFile("mail.mbox", "1", tuple(letters)))
    assert len(found(store, "letter")) == 3
    with store.writer() as writer:
        writer.remove(["mail.mbox"])
    assert found(store, "letter") == []


def test_an_exception_publishes_nothing_more(store: LanceStore) -> None:
    def fail_halfway() -> None:
        with store.writer() as writer:
            put(writer, text_file("c.md", "red crane"))
            writer.publish()
            writer.remove(["a.md"])
            put(writer, text_file("d.md", *[f"red duck {n}" for n in range(3_000)]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_halfway()
    reopened = open_store(store.folder)
    assert sorted(found(reopened, "red")) == ["red bridge", "red crane", "red ship", "red tower"]
    with reopened.writer() as writer:
        put(writer, text_file("e.md", "red eel"))
    assert reopened.count() == 5
    assert set(reopened.files()) == {"a.md", "b.md", "c.md", "e.md"}


def test_a_reader_sees_the_new_state_when_it_asks_for_it(store: LanceStore) -> None:
    reader = open_store(store.folder)
    with store.writer() as writer:
        writer.remove(["b.md"])
        put(writer, text_file("c.md", *["red crane"] * 300))
        writer.publish()
        assert reader.count() == 3
    assert sorted(found(reader, "red")) == ["red bridge", "red ship", "red tower"]
    reader.refresh()
    assert reader.count() == 302
    assert open_store(store.folder).count() == 302


def test_old_versions_go_when_no_reader_can_need_them(store: LanceStore) -> None:
    for edition in range(5):
        with store.writer(reader_seconds=0.0) as writer:
            put(writer, text_file("a.md", *[f"tower {edition}"] * 200, digest=str(edition)))
    table = store.folder / "passages.lance"
    assert len(list((table / "data").iterdir())) < 5
    assert open_store(store.folder).count() == 201
    assert found(store, "tower") == ["tower 4"] * 200


def test_old_versions_stay_for_readers_of_the_last_hour(store: LanceStore) -> None:
    reader = open_store(store.folder)
    for edition in range(3):
        with store.writer() as writer:
            put(writer, text_file("a.md", *[f"tower {edition}"] * 200, digest=str(edition)))
    assert found(reader, "tower") == ["red tower"]


def test_many_vectors_are_searched_by_an_index_and_still_found(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    numbers = [f"number {n} is {n * n}" for n in range(6_000)]
    with store.writer() as writer:
        put(writer, text_file("numbers.txt", *numbers))
        put(writer, text_file("other.txt", "an entirely different sentence"))
    vector = ENCODER.encode(["an entirely different sentence"])[0]
    [hits] = store.search_vector([Query("", vector=vector)], k=1)
    assert hits[0].passage.source == "other.txt"
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)


def test_vectors_that_do_not_fit_are_refused(store: LanceStore) -> None:
    with pytest.raises(IndexStoreError, match=r"1 passages came with vectors of shape \(2, 8\)"):
        store.add([Passage("c.md", 0, 3, "red")], ENCODER.encode(["a", "b"]))
    with pytest.raises(IndexStoreError, match=r"vector of shape None; .* needs \(8,\)"):
        store.search_vector([Query("red")], k=1)
    assert store.count() == 3


def test_the_index_tells_how_it_was_made(store: LanceStore) -> None:
    assert is_index(store.folder)
    assert not is_index(store.folder.parent)
    made = describe(store.folder)
    assert (made.encoder, made.dimensions) == ("fake", 8)


def test_another_encoder_is_refused(store: LanceStore) -> None:
    with pytest.raises(IndexStoreError, match=r"encoder 'fake' \(8 dimensions\), not 'new'"):
        LanceStore(store.folder, encoder="new", dimensions=8)
    with pytest.raises(IndexStoreError, match="Use 'fake', or build the index again"):
        LanceStore.create(store.folder, encoder="fake", dimensions=16)


@pytest.mark.parametrize(
    ("number", "advice"),
    [(99, "format 99, newer than .* Upgrade Seminar"), (0, "old format 0; .* Delete the folder")],
)
def test_another_format_is_refused(store: LanceStore, number: int, advice: str) -> None:
    with sqlite3.connect(store.folder / "catalog.sqlite") as database:
        database.execute("UPDATE description SET format = ?", (number,))
    database.close()
    with pytest.raises(IndexStoreError, match=advice):
        open_store(store.folder)


def test_a_folder_of_other_things_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("precious")
    with pytest.raises(IndexStoreError, match="is not an index"):
        LanceStore(tmp_path, encoder="fake", dimensions=8)
    with pytest.raises(IndexStoreError, match=r"not empty \(it holds 'thesis.docx'\)"):
        open_store(tmp_path)
    with pytest.raises(IndexStoreError, match="Name a folder that may be written"):
        open_store(tmp_path / "thesis.docx")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]


def test_a_making_that_was_interrupted_starts_again(tmp_path: Path) -> None:
    (tmp_path / "passages.lance" / "data").mkdir(parents=True)
    (tmp_path / "catalog.new").write_bytes(b"half")
    assert open_store(tmp_path).count() == 0


@pytest.mark.parametrize("content", [b"", b"not a database " * 1_000, b"SQLite format 3\0 cut"])
def test_a_damaged_catalog_is_named(store: LanceStore, content: bytes) -> None:
    (store.folder / "catalog.sqlite").write_bytes(content)
    with pytest.raises(
        IndexStoreError, match=r"catalog.sqlite is damaged .* build the index again"
    ):
        open_store(store.folder)


def test_missing_data_are_named(store: LanceStore) -> None:
    for path in (store.folder / "passages.lance" / "data").iterdir():
        path.unlink()
    reopened = open_store(store.folder)
    with pytest.raises(IndexStoreError, match="delete the folder and build the index again"):
        found(reopened, "red")


def test_a_missing_table_is_named(store: LanceStore) -> None:
    (store.folder / "passages.lance").rename(store.folder / "elsewhere")
    with pytest.raises(IndexStoreError, match="delete the folder and build the index again"):
        open_store(store.folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written_can_be_read(store: LanceStore) -> None:
    store.folder.chmod(0o500)
    try:
        reader = open_store(store.folder)
        assert found(reader, "tower") == ["red tower"]
        with pytest.raises(IndexStoreError, match="cannot write to the index"):
            reader.delete(["a.md"])
    finally:
        store.folder.chmod(0o700)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_loses_nothing_published(store: LanceStore) -> None:
    large = text_file("large.txt", *[f"crane {n}" for n in range(5_000)])
    with (
        pytest.raises(IndexStoreError, match="Check free space"),
        file_size_limit(20_000),
        store.writer() as writer,
    ):
        put(writer, large)
    assert sorted(found(open_store(store.folder), "red")) == ["red bridge", "red ship", "red tower"]
    with store.writer() as writer:
        put(writer, large)
    assert store.count() == 5_003


def test_a_second_writer_waits_and_is_told_who_writes(store: LanceStore) -> None:
    other = open_store(store.folder)
    with (
        store.writer(),
        pytest.raises(IndexStoreError, match=rf"being written by process {os.getpid()}; gave up"),
        other.writer(timeout=0.05),
    ):
        pass
    other.delete(["a.md"])
    assert other.count() == 1


def test_readers_answer_while_a_writer_writes(store: LanceStore) -> None:
    reader = open_store(store.folder)
    answers: set[tuple[str, ...]] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            reader.refresh()
            answers.add(tuple(sorted(found(reader, "tower"))))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for edition in ("2", "3"):
            with store.writer() as writer:
                towers = [f"tower {edition} {place}" for place in "abc"]
                put(writer, text_file("a.md", *towers, digest=edition))
    finally:
        done.set()
        thread.join()
    whole = {tuple(f"tower {edition} {place}" for place in "abc") for edition in "23"}
    assert answers <= {("red tower",), *whole}
    assert answers


def test_writers_killed_at_any_moment_lose_nothing(tmp_path: Path) -> None:
    tally = kill_often(tmp_path / "index", kills=5, seed=7)
    assert tally.faults == []
    assert tally.publications > 0
