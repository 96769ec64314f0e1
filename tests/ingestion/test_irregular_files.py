"""Pipes, folders and devices that have the names of files are never waited for."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.discover import Problem, SourceFile, discover
from seminar.ingestion.loader import read
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.sandbox.processes import Limits
from seminar.io import content_hash

MESSAGE = {"type": "message", "ts": "1714550400.000100", "user": "U1", "text": "The key is here."}


def folder_at(path: Path) -> None:
    path.mkdir()


@pytest.fixture
def export(tmp_path: Path) -> Path:
    (tmp_path / "general").mkdir()
    (tmp_path / "general" / "2024-05-01.json").write_text(json.dumps([MESSAGE]))
    return tmp_path


def texts(files: list[SourceFile]) -> list[str]:
    return [item.text for file in files for item in read(file, lambda _: None)]


@pytest.mark.parametrize("make", [os.mkfifo, folder_at])
@pytest.mark.parametrize("name", ["general/2024-05-04.json", "users.json", "channels.json"])
def test_a_slack_channel_is_read_beside_what_is_no_file(
    export: Path, make: Callable[[Path], None], name: str
):
    make(export / name)
    files, _ = discover([export])
    assert [content_hash(*file.files) for file in files]
    assert texts(files) == ["U1: The key is here."]


def test_a_pipe_named_like_a_day_is_reported(export: Path):
    os.mkfifo(export / "general" / "2024-05-04.json")
    _, problems = discover([export])
    line = "not a regular file (named pipe)"
    assert problems == [Problem("general/2024-05-04.json", line)]


@pytest.mark.parametrize("make", [os.mkfifo, folder_at])
def test_mails_are_read_beside_what_is_no_file(tmp_path: Path, make: Callable[[Path], None]):
    for box in ("cur", "new"):
        (tmp_path / "box" / box).mkdir(parents=True)
    (tmp_path / "saved").mkdir()
    (tmp_path / "box" / "cur" / "1").write_text("From: ada@x.org\n\nThe key is here.\n")
    (tmp_path / "saved" / "1.eml").write_text("From: ada@x.org\n\nThe key is there.\n")
    make(tmp_path / "box" / "new" / "2")
    make(tmp_path / "saved" / "2.eml")
    files, _ = discover([tmp_path])
    assert sorted(texts(files)) == ["ada@x.org: The key is here.", "ada@x.org: The key is there."]


@pytest.mark.parametrize(
    "suffix",
    ".txt .html .md .pdf .json .jsonl .zip .mbox .eml .docx .xlsx .pptx .odt .epub .gz .xml .vtt"
    .split(),
)  # fmt: skip
def test_a_file_replaced_by_a_pipe_is_refused_at_once_in_every_format(tmp_path: Path, suffix: str):
    path = tmp_path / f"a{suffix}"
    os.mkfifo(path)
    sandbox = Sandbox(Limits(seconds=20))
    with pytest.raises(IngestionError, match=r"can't be read: not a regular file \(named pipe\)"):
        list(read(SourceFile(path, path.name), lambda _: None, sandbox=sandbox))
    sandbox.close()


def test_a_file_replaced_by_a_link_is_refused(tmp_path: Path):
    (tmp_path / "secret.txt").write_text("a secret")
    (tmp_path / "a.txt").symlink_to("secret.txt")
    with pytest.raises(IngestionError, match=r"can't be read: not a regular file \(link\)"):
        list(read(SourceFile(tmp_path / "a.txt", "a.txt"), lambda _: None))
