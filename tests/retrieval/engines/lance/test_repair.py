"""Damage of every kind is found, and repaired as far as anything is intact."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from seminar.errors import IndexStoreError
from seminar.retrieval.engines.lance.repair import repair, verify
from seminar.retrieval.engines.lance.store import LanceStore
from seminar.retrieval.file_index import IndexedFile
from seminar.types import Passage, Query
from tests.fakes import FakeEncoder
from tests.retrieval.file_contract import text_file

ENCODER = FakeEncoder(dimensions=8)
PLACES = ("tower", "bridge", "ship")


def load(name: str) -> FakeEncoder:
    assert name == ENCODER.name
    return ENCODER


def open_store(folder: Path) -> LanceStore:
    return LanceStore(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)


def fill(folder: Path) -> None:
    store = LanceStore.create(folder, encoder=ENCODER.name, dimensions=ENCODER.dimensions)
    for number, place in enumerate(PLACES):  # a publication each
        file = text_file(f"{place}.md", *(f"red {place} {n}" for n in range(3)), digest=str(number))
        with store.writer() as writer:
            writer.add([file], ENCODER.encode([passage.searched for passage in file.passages]))
    with store.writer() as writer:
        nothing = ENCODER.encode([])
        writer.add([IndexedFile("bad.pdf", "9", (), "encrypted")], nothing)


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pristine") / "index"
    fill(folder)
    return folder


@pytest.fixture
def folder(pristine: Path, tmp_path: Path) -> Path:
    return shutil.copytree(pristine, tmp_path / "index")


def matches(store: LanceStore, text: str) -> list[str]:
    [hits] = store.search_text([Query(text)], k=100)
    return sorted(hit.passage.text for hit in hits)


def nearest(store: LanceStore, text: str) -> Passage:
    [hits] = store.search_vector([Query("", vector=ENCODER.encode([text])[0])], k=1)
    return hits[0].passage


def test_a_whole_index_is_verified_and_left_alone(folder: Path):
    before = {path.name for path in folder.rglob("*")}
    assert verify(folder) == []
    assert repair(folder, load).rebuilt is False
    assert {path.name for path in folder.rglob("*")} == before


def drop_catalog(folder: Path) -> None:
    (folder / "catalog.sqlite").unlink()


def cut_catalog(folder: Path) -> None:
    (folder / "catalog.sqlite").write_bytes((folder / "catalog.sqlite").read_bytes()[:5_000])


def flip_text_index(folder: Path) -> None:
    for path in (folder / "passages.lance" / "_indices").rglob("*.lance"):
        flip(path, 20)


def flip(path: Path, count: int = 1) -> None:
    content = bytearray(path.read_bytes())
    chance = random.Random(1)
    for _ in range(count):
        content[chance.randrange(len(content))] ^= 0xFF
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("damage", [drop_catalog, cut_catalog, flip_text_index])
def test_passages_survive_the_loss_of_the_catalog_and_of_search_indexes(
    folder: Path, damage: Callable[[Path], None]
):
    damage(folder)
    assert verify(folder)
    with pytest.raises(IndexStoreError, match="seminar doctor --repair"):
        matches(open_store(folder), "red")
    repair(folder, load)
    assert verify(folder) == []
    store = open_store(folder)
    assert len(matches(store, "red")) == 9
    assert nearest(store, "red ship 2").text == "red ship 2"


def test_records_survive_the_loss_of_search_indexes(folder: Path):
    before = open_store(folder).files()
    flip_text_index(folder)
    result = repair(folder, load)
    assert (result.kept, result.lost) == (4, ())
    assert open_store(folder).files() == before


def test_a_flipped_byte_of_a_record_costs_that_file_alone(folder: Path):
    with sqlite3.connect(folder / "catalog.sqlite") as database:
        database.execute("UPDATE files SET hash = 'x' WHERE path = 'ship.md'")
    database.close()
    with pytest.raises(IndexStoreError, match="'files' is not as it was written"):
        open_store(folder).files()
    repair(folder, load)
    assert {path: file.hash for path, file in open_store(folder).files().items()} == {
        "tower.md": "0",
        "bridge.md": "1",
        "bad.pdf": "9",
        "ship.md": "",  # read again by the next update
    }


def test_damaged_data_never_answer_and_are_named(folder: Path):
    for path in (folder / "passages.lance" / "data").iterdir():
        flip(path, 30)
    assert verify(folder)
    with pytest.raises(IndexStoreError, match="is damaged"):
        open_store(folder)
    result = repair(folder, load)
    assert result.rebuilt
    assert set(result.lost) <= {f"{place}.md" for place in PLACES}
    assert verify(folder) == []
    whole = {f"red {place} {n}" for place in PLACES for n in range(3)}
    assert set(matches(open_store(folder), "red")) <= whole


def test_a_lost_table_names_every_file_with_passages(folder: Path):
    shutil.rmtree(folder / "passages.lance")
    result = repair(folder, load)
    assert result.lost == ("bridge.md", "ship.md", "tower.md")
    assert open_store(folder).files()["bad.pdf"].problem == "encrypted"


@pytest.mark.parametrize("keep", ["table moved", "nothing moved", "catalog moved"])
def test_an_interrupted_repair_is_finished_by_the_next(folder: Path, keep: str):
    rebuilt = folder / "rebuilt"
    shutil.copytree(folder, folder.parent / "copy")
    shutil.move(folder.parent / "copy", rebuilt)
    (rebuilt / "complete").touch()
    (folder / "catalog.sqlite").unlink()
    if keep != "nothing moved":
        shutil.rmtree(folder / "passages.lance")
        (rebuilt / "passages.lance").rename(folder / "passages.lance")
    if keep == "catalog moved":
        (rebuilt / "catalog.sqlite").rename(folder / "catalog.sqlite")
    repair(folder, load)
    assert not rebuilt.exists()
    assert verify(folder) == []
    assert len(matches(open_store(folder), "red")) == 9


def test_an_index_that_says_no_encoder_is_left_alone(folder: Path):
    (folder / "catalog.sqlite").write_bytes(b"")
    (folder / "seminar-index.json").unlink()
    with pytest.raises(IndexStoreError, match="can't be repaired: neither"):
        repair(folder, load)
    assert (folder / "passages.lance" / "data").is_dir()
