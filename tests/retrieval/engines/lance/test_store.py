"""The Lance engine beyond the contract: versions on disk, damage, refusals and crashes."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.crash_safety import kill_often
from seminar.errors import IndexStoreError
from seminar.index_marker import is_index
from seminar.retrieval.engines.lance.catalog import FORMAT, checksum
from seminar.retrieval.engines.lance.repair import verify
from seminar.retrieval.engines.lance.store import LanceStore, describe
from seminar.retrieval.file_index import IndexedFile, IndexWriter
from seminar.types import Query
from tests.fakes import FakeEncoder
from tests.retrieval.file_contract import text_file

ENCODER = FakeEncoder(dimensions=8)


def open_store(folder: Path) -> LanceStore:
    return LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)


def put(writer: IndexWriter, *files: IndexedFile) -> None:
    texts = [passage.searched for file in files for passage in file.passages]
    writer.add(files, ENCODER.encode(texts))


def matches(store: LanceStore, text: str) -> list[str]:
    [hits] = store.search_text([Query(text)], k=1_000)
    return sorted(hit.passage.text for hit in hits)


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    store = open_store(tmp_path / "index")
    with store.writer() as writer:
        put(writer, text_file("a.md", "red tower", "red bridge"), text_file("b.md", "red ship"))
    return store


def test_old_versions_are_deleted_when_no_reader_can_need_them(store: LanceStore) -> None:
    for edition in range(5):
        with store.writer(reader_seconds=0.0) as writer:
            put(writer, text_file("a.md", *[f"tower {edition}"] * 200, digest=str(edition)))
    table = store.folder / "passages.lance"
    assert len(list((table / "data").iterdir())) < 5
    assert open_store(store.folder).count() == 201
    assert matches(store, "tower") == ["tower 4"] * 200


def test_old_versions_are_kept_for_readers_of_the_last_hour(store: LanceStore) -> None:
    reader = open_store(store.folder)
    for edition in range(3):
        with store.writer() as writer:
            put(writer, text_file("a.md", *[f"tower {edition}"] * 200, digest=str(edition)))
    assert matches(reader, "tower") == ["red tower"]


def test_old_versions_are_deleted_at_once_when_nobody_else_has_the_index_open(
    store: LanceStore,
) -> None:
    versions = store.folder / "passages.lance" / "_versions"
    with store.writer() as writer:
        put(writer, text_file("a.md", *["tower"] * 200, digest="2"))
    assert len(list(versions.glob("*.manifest"))) == 1
    reader = open_store(store.folder)
    with store.writer() as writer:
        put(writer, text_file("a.md", *["spire"] * 200, digest="3"))
    assert len(list(versions.glob("*.manifest"))) > 1
    assert len(matches(reader, "tower")) == 200
    assert len(matches(store, "spire")) == 200


def test_vector_index_over_many_passages_finds_the_nearest(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    numbers = [f"number {n} is {n * n}" for n in range(6_000)]
    with store.writer() as writer:
        put(writer, text_file("numbers.txt", *numbers))
        put(writer, text_file("other.txt", "an entirely different sentence"))
    vector = ENCODER.encode(["an entirely different sentence"])[0]
    [hits] = store.search_vector([Query("", vector=vector)], k=1)
    assert hits[0].passage.source == "other.txt"
    assert hits[0].score == pytest.approx(1.0, abs=1e-3)


def test_describe_gives_encoder_and_dimensions(store: LanceStore) -> None:
    assert is_index(store.folder)
    assert not is_index(store.folder.parent)
    made = describe(store.folder)
    assert (made.encoder, made.dimensions) == ("fake", 8)


def test_opening_with_another_encoder_is_an_error(store: LanceStore) -> None:
    with pytest.raises(IndexStoreError, match=r"encoder 'fake' \(8 dimensions\), not 'new'"):
        LanceStore(store.folder, encoder="new", dimensions=8)
    with pytest.raises(IndexStoreError, match="Use 'fake', or build the index again"):
        LanceStore.create(store.folder, encoder="fake", dimensions=16)


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (99, "format 99, newer than .* Upgrade Seminar"),
        (3, "old format 3; .* Read its files again: seminar index PATH --to "),
    ],
)
def test_opening_another_format_is_an_error_with_advice(
    store: LanceStore, number: int, advice: str
) -> None:
    with sqlite3.connect(store.folder / "catalog.sqlite") as database:
        row = (number, "fake", 8)
        database.execute("DELETE FROM description")
        database.execute("INSERT INTO description VALUES (?, ?, ?, ?)", (*row, checksum(row)))
    database.close()
    with pytest.raises(IndexStoreError, match=advice):
        describe(store.folder)


def test_index_of_an_outdated_format_is_emptied_to_be_read_again(store: LanceStore) -> None:
    with sqlite3.connect(store.folder / "catalog.sqlite") as database:
        for table in ("description", "files", "publications", "table_files"):
            database.execute(f"DROP TABLE {table}")
        database.execute(
            "CREATE TABLE description (format INTEGER, encoder TEXT, dimensions INTEGER)"
        )
        database.execute("INSERT INTO description VALUES (2, 'older', 9)")
    database.close()
    assert open_store(store.folder).count() == 0
    assert describe(store.folder).format == FORMAT


@pytest.fixture
def old_index(tmp_path: Path) -> Path:
    """An index of format 5, as the version before format 6 wrote it."""
    shutil.unpack_archive(Path(__file__).parent / "indexes" / "format-5.zip", tmp_path / "old")
    return tmp_path / "old"


def test_index_of_format_5_is_searched_and_updated_as_it_is(old_index: Path) -> None:
    store = open_store(old_index)
    assert matches(store, "red") == ["red bridge", "red ship", "red tower"]
    with store.writer() as writer:
        put(writer, text_file("c.md", "red crane"))
        writer.remove(["a.md"])
    assert matches(open_store(old_index), "red") == ["red crane", "red ship"]
    assert describe(old_index).format == 5
    assert verify(old_index) == []


def test_index_of_format_4_becomes_one_of_format_5_in_its_place(old_index: Path) -> None:
    before = LanceStore(old_index, encoder="fake", dimensions=8).files()
    with sqlite3.connect(old_index / "catalog.sqlite") as database:
        for table, columns in [
            ("description", "format INTEGER, encoder TEXT, dimensions INTEGER"),
            ("publications", "version INTEGER PRIMARY KEY, begun REAL, published REAL"),
            ("files", "path TEXT PRIMARY KEY, hash TEXT, passages INTEGER, problem TEXT"),
        ]:
            names = ", ".join(column.split()[0] for column in columns.split(", "))
            rows = database.execute(f"SELECT {names} FROM {table}").fetchall()
            database.execute(f"DROP TABLE {table}")
            database.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * len(rows[0]))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        database.execute("UPDATE description SET format = 4")
        database.execute("DROP TABLE table_files")
    database.close()
    (old_index / "seminar-index.json").unlink()
    assert is_index(old_index)
    converted = open_store(old_index)
    assert converted.files() == before
    assert matches(converted, "tower") == ["red tower"]
    assert (old_index / "seminar-index.json").exists()
    assert describe(old_index).format == 5


def test_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_text("precious")
    with pytest.raises(IndexStoreError, match="is not an index"):
        LanceStore(tmp_path, encoder="fake", dimensions=8)
    with pytest.raises(IndexStoreError, match=r"not empty \(it holds 'thesis.docx'\)"):
        open_store(tmp_path)
    with pytest.raises(IndexStoreError, match="Name a folder that may be written"):
        open_store(tmp_path / "thesis.docx")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]


def test_interrupted_creation_starts_again(tmp_path: Path) -> None:
    (tmp_path / "passages.lance" / "data").mkdir(parents=True)
    (tmp_path / "catalog.new").write_bytes(b"half")
    assert open_store(tmp_path).count() == 0


@pytest.mark.parametrize("content", [b"", b"not a database " * 1_000, b"SQLite format 3\0 cut"])
def test_damaged_catalog_is_an_error_that_names_it(store: LanceStore, content: bytes) -> None:
    (store.folder / "catalog.sqlite").write_bytes(content)
    with pytest.raises(
        IndexStoreError, match=r"catalog.sqlite is damaged .* seminar doctor --repair"
    ):
        open_store(store.folder)


def test_missing_data_files_are_an_error_with_advice(store: LanceStore) -> None:
    for path in (store.folder / "passages.lance" / "data").iterdir():
        path.unlink()
    reopened = open_store(store.folder)
    with pytest.raises(IndexStoreError, match="seminar doctor --repair"):
        matches(reopened, "red")


def test_missing_table_is_an_error_with_advice(store: LanceStore) -> None:
    (store.folder / "passages.lance").rename(store.folder / "elsewhere")
    with pytest.raises(IndexStoreError, match="seminar doctor --repair"):
        open_store(store.folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_read_only_folder_can_be_searched(store: LanceStore) -> None:
    store.folder.chmod(0o500)
    try:
        reader = open_store(store.folder)
        assert matches(reader, "tower") == ["red tower"]
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


def test_full_disk_loses_nothing_published(store: LanceStore) -> None:
    large = text_file("large.txt", *[f"crane {n}" for n in range(5_000)])
    with (
        pytest.raises(IndexStoreError, match="Check free space"),
        file_size_limit(20_000),
        store.writer() as writer,
    ):
        put(writer, large)
    assert matches(open_store(store.folder), "red") == [
        "red bridge",
        "red ship",
        "red tower",
    ]
    with store.writer() as writer:
        put(writer, large)
    assert store.count() == 5_003


def test_files_are_recorded_whatever_the_clock_said_when_they_were_written(
    store: LanceStore,
) -> None:
    table = store.folder / "passages.lance"
    with store.writer() as writer:
        put(writer, text_file("c.md", *["red gate"] * 3_000))  # more than a batch: written at once
        for path in table.rglob("*"):
            os.utime(path, (1.0, 1.0))  # as after a clock was set back
    recorded = store._catalog.table_files().keys()
    there = {path.relative_to(table).as_posix() for path in table.rglob("*") if path.is_file()}
    assert there - recorded <= {"_versions/latest_version_hint.json"}


@pytest.mark.parametrize("content", [b"", b"LANC", bytes(100)])
def test_part_of_an_unpublished_version_costs_nothing(store: LanceStore, content: bytes) -> None:
    versions = store.folder / "passages.lance" / "_versions"
    torn = versions / f"{2**64 - 2 - store._catalog.version():020}.manifest"
    torn.write_bytes(content)  # as a power cut may leave it
    assert matches(open_store(store.folder), "ship") == ["red ship"]
    with open_store(store.folder).writer() as writer:
        put(writer, text_file("c.md", "red gate"))
    assert matches(open_store(store.folder), "gate") == ["red gate"]


def test_second_writer_is_told_which_process_writes(store: LanceStore) -> None:
    other = open_store(store.folder)
    with (
        store.writer(),
        pytest.raises(IndexStoreError, match=rf"being written by process {os.getpid()}; gave up"),
        other.writer(timeout=0.05),
    ):
        pass


def test_readers_see_whole_versions_while_a_writer_writes(store: LanceStore) -> None:
    reader = open_store(store.folder)
    answers: set[tuple[str, ...]] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            reader.refresh()
            answers.add(tuple(matches(reader, "tower")))

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


def test_killed_writers_lose_nothing_published(tmp_path: Path) -> None:
    tally = kill_often(tmp_path / "index", kills=5, seed=7)
    assert tally.faults == []
    assert tally.publications > 0
