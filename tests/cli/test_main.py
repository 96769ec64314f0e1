import os
import subprocess
import sys
from pathlib import Path

import pytest

from seminar.cli.main import COMMANDS

PAGE = (Path(__file__).parent.parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")


def complete(instruction: str, **words: str) -> str:
    """Return what the command prints to a shell that asks for completion."""
    return subprocess.run(
        [sys.executable, "-m", "seminar"],
        env={**os.environ, "_SEMINAR_COMPLETE": instruction, **words},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_help_lists_commands_for_users_before_those_for_researchers(seminar):
    listed = seminar("--help").out
    users, researchers = listed.index("\nCommands:\n"), listed.index("\nFor researchers:\n")
    places = {name: listed.index(f"\n  {name} ") for name in COMMANDS}
    assert [name for name, at in places.items() if users < at < researchers] == [
        "chat",
        "ask",
        "show",
        "index",
        "watch",
        "serve",
        "mcp",
        "doctor",
    ]
    assert {name for name, at in places.items() if at > researchers} == {
        "evaluate",
        "score",
        "analyze",
        "train",
        "collect",
    }


def test_help_says_of_each_command_what_it_does_in_one_line(seminar):
    listed = seminar("--help").out
    _, _, commands = listed.partition("\nCommands:\n")
    rows = [
        line for line in commands.splitlines() if line.split(" ")[2:3] in [[n] for n in COMMANDS]
    ]
    assert len(rows) == len(COMMANDS)
    assert all(row.endswith(".") and not row.endswith("...") for row in rows)


def test_unknown_command_is_an_error(seminar):
    ended = seminar("chta")
    assert ended.code == 2
    assert "No such command 'chta'" in ended.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_printed_for_each_documented_shell(shell: str):
    assert "_seminar_completion" in complete(f"{shell}_source")
    assert f"_SEMINAR_COMPLETE={shell}_source seminar" in PAGE


def test_completion_offers_commands_and_options():
    commands = complete("bash_complete", COMP_WORDS="seminar c", COMP_CWORD="1")
    assert commands.splitlines() == ["plain,chat", "plain,collect"]
    options = complete("bash_complete", COMP_WORDS="seminar chat --thr", COMP_CWORD="2")
    assert options.splitlines() == ["plain,--threshold", "plain,--threads"]
