"""What can't be seen keeps what was indexed: a real process without rights looks at real files."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seminar.assembly import create_index
from seminar.indexing import update
from seminar.models.encoders.registry import load_encoder
from seminar.retrieval.file_index import FileIndex
from seminar.types import Query
from tests.paths import ROOT

ENCODER = load_encoder("static")
POWERLESS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    (folder / "general").mkdir()
    for number in range(6):
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nThe number is {number}.\n")
    (folder / "deep" / "tower.md").write_text("# Tower\n\nThe tower was finished in 1911.\n")
    (folder / "export.json").write_text('[{"speaker": "Ada", "text": "hello there"}]')
    (folder / "general" / "2024-05-01.json").write_text(
        '[{"type": "message", "ts": "1714550400.0", "user": "Bo", "text": "The key is here."}]'
    )
    return folder


@pytest.fixture
def store(tmp_path: Path) -> FileIndex:
    return create_index(tmp_path / "index", ENCODER)


def found(store: FileIndex, words: str) -> list[str]:
    [hits] = store.search_text([Query(words)], k=20)
    return sorted({hit.passage.source.partition("#")[0] for hit in hits})


def index_within_permissions(folder: Path) -> dict:
    """Run `seminar index` as a user for whom permissions count."""
    command = [sys.executable, "-m", "seminar", "index", str(folder), "--to",
               str(folder.parent / "index"), "--json", "--encoder", "static"]  # fmt: skip
    ended = subprocess.run(
        [*(POWERLESS if os.geteuid() == 0 else []), *command],
        env={**os.environ, "SEMINAR_HOME": str(folder.parent / "home"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.skipif(
    os.geteuid() == 0 and not shutil.which("setpriv"), reason="nothing is forbidden to root"
)
def test_files_and_folders_without_permission_keep_their_passages(folder: Path):
    first = index_within_permissions(folder)
    for name in ("deep", "general", "1.md", "export.json"):
        (folder / name).chmod(0)
    second = index_within_permissions(folder)
    assert (second["removed"], second["passages"]) == (0, first["passages"])
    stale = {"deep/tower.md", "general", "1.md"}
    assert stale <= set(second["stale"]) <= stale | {"export.json"}
    assert any("1.md: can't be seen since 20" in line for line in second["problems"])
    for name in ("deep", "general", "1.md", "export.json"):
        (folder / name).chmod(0o755)
    third = index_within_permissions(folder)
    assert (third["stale"], third["passages"], third["read"]) == ([], first["passages"], 0)


def test_an_emptied_folder_keeps_everything_until_it_is_confirmed(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    count = store.count()
    shutil.move(folder, folder.parent / "unmounted")
    folder.mkdir()
    outcome = update(store, [folder], ENCODER)
    assert (outcome.removed, store.count()) == (0, count)
    assert len(outcome.withheld) == len(store.files())
    assert "If they were deleted: --forget" in str(outcome.problems[-1])
    assert found(store, "tower finished") == ["deep/tower.md"]
    shutil.rmtree(folder)
    shutil.move(folder.parent / "unmounted", folder)
    back = update(store, [folder], ENCODER)
    assert (back.read, back.stale, back.withheld) == (0, (), ())
    assert not any(file.stale_since for file in store.files().values())


def test_forget_removes_what_is_gone(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    for number in range(6):
        (folder / f"{number}.md").unlink()
    assert update(store, [folder], ENCODER).removed == 0
    assert found(store, "number is 3") != []
    outcome = update(store, [folder], ENCODER, forget=True)
    assert (outcome.removed, outcome.stale) == (6, ())
    assert found(store, "number") == []


def test_a_file_replaced_by_a_pipe_or_a_broken_link_keeps_its_passages(
    store: FileIndex, folder: Path
):
    update(store, [folder], ENCODER)
    (folder / "1.md").unlink()
    os.mkfifo(folder / "1.md")
    (folder / "2.md").unlink()
    (folder / "2.md").symlink_to("/nowhere/2.md")
    outcome = update(store, [folder], ENCODER)
    assert (outcome.removed, outcome.stale) == (0, ("1.md", "2.md"))
    since = store.files()["1.md"].stale_since
    assert since > 0
    update(store, [folder], ENCODER)
    assert store.files()["1.md"].stale_since == since
    assert "1.md" in found(store, "number is 1")


def test_moved_files_are_not_asked_about(store: FileIndex, folder: Path):
    update(store, [folder], ENCODER)
    (folder / "moved").mkdir()
    for number in range(6):
        (folder / f"{number}.md").rename(folder / "moved" / f"{number}.md")
    outcome = update(store, [folder], ENCODER)
    assert (outcome.removed, outcome.withheld) == (6, ())
