"""Commands of a chat that show, open and export what it cites, over real files."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from seminar.cli.chat import Chat
from seminar.session import open_session


@pytest.fixture
def chat(folder: Path) -> Chat:
    session = open_session(folder, encoder="static")
    console, errors = (Console(file=StringIO(), width=2_000, highlight=False) for _ in range(2))
    chat = Chat(console, errors, session, reopen=lambda _: session.opened)
    chat.handle("How long is the crossing?")
    return chat


def printed(console: Console) -> str:
    file = console.file
    assert isinstance(file, StringIO)
    content = file.getvalue()
    file.seek(0)
    file.truncate()
    return content


def test_places_are_numbered_shown_and_opened(
    chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    assert "— [1] ferry.md:5:20, The ferry > Crossing" in printed(chat.console)
    for line in ("/show", "/show 1", "/show ferry.md:5"):
        chat.handle(line)
        assert "— ferry.md:5:" in printed(chat.console)
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\nprintf "%s " "$@" > {tmp_path}/opened.txt\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    chat.handle("/open 1")
    opened = (tmp_path / "opened.txt").read_text()
    assert opened == f"+5 {tmp_path}/files/ferry.md "
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    chat.handle("/open")
    assert "Set EDITOR to open text in an editor.\n— ferry.md:5:20" in printed(chat.console)
    assert printed(chat.errors) == ""


def test_wrong_place_is_an_error_of_one_line(chat: Chat):
    chat.handle("/show 99")
    chat.handle("/open nowhere.md:1")
    chat.handle("/reset")
    chat.handle("/open 1")
    missing, unknown, none = printed(chat.errors).splitlines()
    assert missing.startswith("There is no place 99 (1")
    assert unknown.startswith("'nowhere.md:1' is not in these files.")
    assert none == "the last answer cites no place; name one, as in /show choir.md:13"


def test_conversation_is_exported_to_new_files_only(chat: Chat, tmp_path: Path):
    for suffix in ("md", "html", "json"):
        chat.handle(f"/export {tmp_path}/talk.{suffix}")
        assert f"1 turn in {tmp_path}/talk.{suffix}" in printed(chat.console)
    assert "<mark>55 minutes</mark>" in (tmp_path / "talk.html").read_text()
    assert "The crossing takes **55 minutes**" in (tmp_path / "talk.md").read_text()
    [turn] = json.loads((tmp_path / "talk.json").read_text())["turns"]
    assert turn["reply"]["literal"][0]["before"] == "The crossing takes "
    for name in ("talk.md", "talk.txt", "", "no\0where.md"):
        chat.handle(f"/export {tmp_path / name if name else ''}")
    exists, kind, unnamed, null = printed(chat.errors).splitlines()
    assert "exists already; export under another name" in exists
    assert kind == "name a file that ends in .md, .html or .json, as in /export talk.html"
    assert unnamed == kind
    assert "can't be written (embedded null byte)" in null
