"""Checks of an installation, over real weights and real indexes."""

import shutil
from pathlib import Path

import pytest

from seminar import health
from seminar.health import check, check_index, indexes, storage, weights, wrong_files
from seminar.session import open_session
from seminar.weights import weights_folder


@pytest.fixture(autouse=True)
def private_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry\n\nThe crossing takes 55 minutes.\n")
    return folder


def test_every_check_of_this_installation_is_good():
    results = list(check())
    assert [one for one in results if one.state == "bad"] == []
    assert {"seminar", "weights of reader", "storage", "index"} <= {one.subject for one in results}


def test_shipped_weights_are_as_their_cards_say():
    assert {one.state for one in weights(())} == {"good"}


def test_changed_and_missing_weights_are_named(tmp_path: Path):
    copy = tmp_path / "speakers"
    shutil.copytree(weights_folder("speakers"), copy)
    assert wrong_files(copy) == []
    (copy / "scores.json").unlink()
    (copy / "weights.json").write_text("{}")
    assert wrong_files(copy) == ["scores.json", "weights.json"]


def test_card_without_checksums_is_named(tmp_path: Path):
    (tmp_path / "card.md").write_text("# A model\n")
    assert wrong_files(tmp_path) == ["card.md"]


def test_index_of_named_files_is_counted(notes: Path):
    [before] = indexes([notes])
    assert (before.state, before.detail) == ("note", "not indexed yet")
    open_session(notes)
    [after] = indexes([notes])
    assert after.state == "good"
    assert after.detail == "1 passages of 1 files, encoder minilm"
    assert list(indexes(())) == [after]


def test_damaged_index_says_what_to_do(notes: Path, tmp_path: Path):
    open_session(notes)
    [folder] = (tmp_path / "home" / "indexes").iterdir()
    shutil.rmtree(folder / "passages.lance")
    result = check_index(folder)
    assert result.state == "bad"
    assert result.advice == f"seminar doctor --repair {folder}"


def test_storage_that_cannot_be_written_is_bad(notes: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SEMINAR_HOME", str(notes / "ferry.md" / "home"))
    [result] = storage(())
    assert result.state == "bad"
    assert "SEMINAR_HOME" in result.advice


def test_little_space_is_noted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "LOW_SPACE", 1 << 60)
    [result] = storage(())
    assert (result.state, result.advice.partition(",")[0]) == ("note", "free some space")
