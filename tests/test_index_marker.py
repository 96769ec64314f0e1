import os
import sqlite3
from pathlib import Path

import pytest

from seminar.assembly import create_index, open_files
from seminar.errors import SeminarError
from seminar.index_marker import MARKER, is_index, read_marker
from seminar.ingestion.discover import discover
from seminar.models.encoders.registry import load_encoder
from seminar.settings import Settings

ENCODER = load_encoder("static")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ferry.md").write_text("# Ferry\n\nThe crossing takes 55 minutes.\n")
    return folder


def test_marker_names_format_and_encoder(tmp_path: Path):
    create_index(tmp_path, ENCODER)
    marker = read_marker(tmp_path)
    assert marker is not None
    assert (marker.encoder, marker.dimensions) == ("static", ENCODER.dimensions)
    assert is_index(tmp_path)


@pytest.mark.parametrize("content", [b"", b"anything", b"SQLite format 3\0" + bytes(5_000)])
def test_documents_beside_a_file_named_like_a_catalog_are_read(notes: Path, content: bytes):
    (notes / "catalog.sqlite").write_bytes(content)
    assert not is_index(notes)
    assert open_files([notes], Settings(encoder="static")).sources == ["ferry.md"]


def test_documents_beside_a_database_of_somebody_else_are_read(notes: Path):
    with sqlite3.connect(notes / "catalog.sqlite") as database:
        database.execute("CREATE TABLE description (words TEXT)")
    database.close()
    (notes / "passages.lance").mkdir()
    assert not is_index(notes)
    assert [file.source for file in discover([notes])[0]] == ["ferry.md"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"made_by": "other"}', b"\xff" * 99])
def test_another_file_of_the_marker_s_name_is_no_marker(notes: Path, content: bytes):
    (notes / MARKER).write_bytes(content)
    assert read_marker(notes) is None
    assert not is_index(notes)


def test_marker_that_is_a_link_or_a_pipe_is_no_marker(notes: Path, tmp_path: Path):
    create_index(tmp_path / "index", ENCODER)
    (notes / MARKER).symlink_to(tmp_path / "index" / MARKER)
    assert not is_index(notes)
    (notes / MARKER).unlink()
    os.mkfifo(notes / MARKER)
    assert not is_index(notes)


def test_index_without_its_catalog_is_an_error_that_names_the_repair(tmp_path: Path):
    create_index(tmp_path / "index", ENCODER)
    (tmp_path / "index" / "catalog.sqlite").unlink()
    with pytest.raises(SeminarError, match=r"lost its catalog.* seminar doctor --repair"):
        open_files([tmp_path / "index"])


def test_index_without_its_marker_is_still_one(tmp_path: Path):
    create_index(tmp_path, ENCODER)
    (tmp_path / MARKER).unlink()
    assert is_index(tmp_path)
