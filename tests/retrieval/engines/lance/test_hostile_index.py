"""An index that somebody else made is untrusted input."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from seminar.assembly import choose_encoder, create_index, open_files
from seminar.errors import ConfigurationError, IndexStoreError
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.engines.lance.catalog import checksum
from seminar.settings import Settings

ENCODER = load_encoder("static")


@pytest.fixture
def index(tmp_path: Path) -> Path:
    create_index(tmp_path / "index", ENCODER)
    return tmp_path / "index"


@contextmanager
def catalog(index: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(index / "catalog.sqlite")) as database, database:
        yield database


def test_holder_file_that_is_a_link_does_not_overwrite_its_target(index: Path, tmp_path: Path):
    precious = tmp_path / "precious.txt"
    precious.write_text("a thesis")
    (index / "writer.pid").symlink_to(precious)
    with create_index(index, ENCODER).writer():
        pass
    assert precious.read_text() == "a thesis"


@pytest.mark.parametrize("name", ["writer.lock", "catalog.sqlite-journal"])
def test_links_in_the_place_of_written_files_are_refused(index: Path, tmp_path: Path, name: str):
    precious = tmp_path / "precious.txt"
    precious.write_text("a thesis")
    (index / name).unlink(missing_ok=True)
    (index / name).symlink_to(precious)
    with pytest.raises(IndexStoreError), create_index(index, ENCODER).writer(timeout=0.1):
        pass
    assert precious.read_text() == "a thesis"


@pytest.mark.parametrize("name", ["catalog.sqlite", "passages.lance"])
def test_links_in_the_place_of_read_files_are_refused(index: Path, tmp_path: Path, name: str):
    (index / name).rename(tmp_path / "elsewhere")
    (index / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(IndexStoreError):
        open_files([index])


def test_links_within_the_table_are_refused(index: Path, tmp_path: Path):
    (index / "passages.lance" / "data").mkdir(exist_ok=True)
    (index / "passages.lance" / "data" / "more.lance").symlink_to("/etc/passwd")
    with pytest.raises(IndexStoreError, match=r"more.lance is no regular file \(link\)"):
        open_files([index])


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE files", f"CREATE VIEW files AS {ENDLESS} x, x, x, x, x, x FROM n"],
        ["DROP TABLE description", f"CREATE VIEW description AS {ENDLESS} 5, 'static', x FROM n"],
        ["CREATE TRIGGER t AFTER DELETE ON files BEGIN DELETE FROM files; END"],
        ["CREATE INDEX i ON files (hash)"],
        ["CREATE TABLE more (x)"],
        ["ALTER TABLE files ADD COLUMN more TEXT"],
        ["CREATE VIRTUAL TABLE words USING fts5(x)"],
    ],
)
def test_a_catalog_of_other_tables_is_refused_at_once(index: Path, statements: list[str]):
    with catalog(index) as database:
        for statement in statements:
            database.execute(statement)
    begun = time.monotonic()
    with pytest.raises(IndexStoreError, match="is damaged"):
        open_files([index])
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("publications", ("many", 1.0, 1.0)),
        ("publications", (99, None, b"x")),
        ("description", (5, None, 256)),
        ("description", (5, "static", "wide")),
        ("description", (b"5", "static", 256)),
        ("files", ("a.md", None, "3", 7, "never")),
        ("files", (b"\xff", "1", 3, "", 0.0)),
    ],
)
def test_odd_values_are_refused_even_with_a_right_checksum(
    index: Path, table: str, row: tuple[object, ...]
):
    with catalog(index) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        if table == "publications" and row[0] == "many":
            database.execute("DROP TABLE publications")
            database.execute("CREATE TABLE publications (version, begun, published, sum)")
        database.execute(f"DELETE FROM {table}")
        marks = ", ".join("?" * (len(row) + 1))
        database.execute(f"INSERT INTO {table} VALUES ({marks})", (*row, checksum(row)))
    with pytest.raises(IndexStoreError, match="is damaged"):
        create_index(index, ENCODER).files()


def test_text_that_is_not_utf8_is_refused(index: Path):
    with catalog(index) as database:
        database.execute("INSERT INTO files (path) VALUES (CAST(x'ff' AS TEXT))")
    with pytest.raises(IndexStoreError, match="is damaged"):
        create_index(index, ENCODER).files()


def test_journal_that_names_other_databases_is_refused_before_sqlite_sees_it(index: Path):
    magic = bytes.fromhex("d9d505f920a163d7")
    (index / "catalog.sqlite-journal").write_bytes(magic + bytes(504) + b"/etc/passwd" + magic)
    with pytest.raises(IndexStoreError, match="journal of other databases"):
        open_files([index])


def test_catalog_in_write_ahead_mode_is_refused(index: Path):
    with closing(sqlite3.connect(index / "catalog.sqlite")) as database:
        database.execute("PRAGMA journal_mode = WAL")
    with pytest.raises(IndexStoreError, match="not a database as Seminar writes it"):
        open_files([index])


def test_encoder_that_an_index_names_is_not_loaded(tmp_path: Path):
    class Other:
        name = str(tmp_path / "model")
        dimensions = 8

    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.onnx").write_bytes(b"hostile")
    create_index(tmp_path / "index", Other())  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match=r"not one of Seminar's .* If it is yours"):
        open_files([tmp_path / "index"])
    with pytest.raises(ConfigurationError, match="not one of Seminar's"):
        choose_encoder("auto", [], tmp_path / "index")


def test_encoder_that_the_user_names_is_loaded(tmp_path: Path):
    class Other:
        name = str((tmp_path / "model").resolve())
        dimensions = 8

    (tmp_path / "model").mkdir()
    create_index(tmp_path / "index", Other())  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"model\.onnx|tokenizer\.json"):  # it is looked for there
        open_files([tmp_path / "index"], Settings(encoder=str(tmp_path / "model")))
