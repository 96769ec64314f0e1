import os
from pathlib import Path

import pytest

from seminar.assembly import create_index
from seminar.file_batches import Progress
from seminar.indexing import Outcome, update
from seminar.ingestion.loader import VERSION
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Query

ENCODER = load_encoder("static")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    (folder / "ferry.md").write_text("# Ferry\n\nThe crossing takes 55 minutes.\n")
    (folder / "deep" / "tower.txt").write_text("Tower\n\nThe tower was finished in 1911.\n")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> FileIndex:
    place = tmp_path / "index"
    return create_index(place, ENCODER)


def found(store: FileIndex, words: str) -> list[str]:
    [hits] = store.search_text([Query(words)], k=5)
    return [hit.passage.source for hit in hits]


def test_update_makes_a_folder_searchable(store: FileIndex, folder: Path):
    outcome = update(store, [folder], ENCODER)
    assert outcome == Outcome(read=2, removed=0, kept=0, problems=())
    assert found(store, "crossing minutes") == ["ferry.md"]
    assert found(store, "tower finished") == ["deep/tower.txt"]


def test_unchanged_files_are_not_read_again(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    os.utime(folder / "ferry.md", (1, 1))  # a new time, but the same content
    assert update(store, [folder], ENCODER) == Outcome(read=0, removed=0, kept=2, problems=())


def test_new_reader_version_reads_every_file_again(
    store: FileIndex, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    update(store, [folder], ENCODER)
    monkeypatch.setattr("seminar.indexing.VERSION", VERSION + 1)
    assert update(store, [folder], ENCODER) == Outcome(read=2, removed=0, kept=0, problems=())
    assert store.count() == 2


def test_changed_file_replaces_its_passages(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    (folder / "ferry.md").write_text("# Ferry\n\nThe voyage lasts an hour.\n")
    assert update(store, [folder], ENCODER) == Outcome(read=1, removed=0, kept=1, problems=())
    assert found(store, "voyage hour") == ["ferry.md"]
    assert found(store, "minutes") == []


def test_change_that_is_taken_back_after_reading_leaves_nothing_stale(
    store: FileIndex, folder: Path
):
    ferry = folder / "ferry.md"
    before = ferry.read_text()

    def change(progress: Progress) -> None:  # between the look at all files and reading this one
        if progress.passages == 0 and ferry.read_text() == before:
            ferry.write_text("# Ferry\n\nThe voyage lasts an hour.\n")

    update(store, [folder], ENCODER, watch=change)
    assert found(store, "voyage hour") == ["ferry.md"]
    ferry.write_text(before)
    assert update(store, [folder], ENCODER).read == 1
    assert found(store, "crossing minutes") == ["ferry.md"]
    assert found(store, "voyage hour") == []


def test_removed_file_is_removed_from_the_index(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    (folder / "ferry.md").unlink()
    assert update(store, [folder], ENCODER) == Outcome(read=0, removed=1, kept=1, problems=())
    assert found(store, "crossing minutes") == []


def test_bad_file_is_reported_each_time_and_the_rest_is_indexed(store: FileIndex, folder: Path):
    (folder / "bad.md").write_bytes(b"\x00\x01\x02" * 100)
    first = update(store, [folder], ENCODER)
    second = update(store, [folder], ENCODER)
    assert (first.read, first.kept, first.unread) == (2, 0, 1)
    assert (second.read, second.kept, second.unread) == (0, 2, 1)
    for outcome in (first, second):
        [line] = [str(problem) for problem in outcome.problems]
        assert line.startswith("bad.md: ")
    assert found(store, "crossing minutes") == ["ferry.md"]


def test_progress_counts_the_bytes_to_be_read(store: FileIndex, folder: Path):
    steps: list[Progress] = []
    update(store, [folder], ENCODER, watch=steps.append)
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert {step.total_bytes for step in steps} == {total}
    assert steps[0].done_bytes == 0
    assert (steps[-1].done_bytes, steps[-1].passages) == (total, 2)
