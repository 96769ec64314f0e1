"""Lines typed at a real terminal: history, completion, pasted text."""

import sys
from pathlib import Path

from seminar.cli.prompt import HISTORY_LIMIT, PrivateHistory, open_history
from tests.cli.terminal import Terminal, terminal

READ_LINES = """
from seminar.cli.completion import ChatCompleter, Choices
from seminar.cli.prompt import typed_lines
names = ["halls/ferry.md", "tower.html", "evil\\x1b[2J.md"]
choices = Choices(["/scope", "/show"], lambda: names, lambda: names, lambda: ["1", "2"])
read = typed_lines(ChatCompleter(choices))
while True:
    try:
        print("read", repr(read()), flush=True)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    except EOFError:
        break
"""
COMMAND = [sys.executable, "-c", READ_LINES]


def type_and_read(person: Terminal, *steps: tuple[str, str]) -> None:
    """Type keys at the prompt, after each waiting for what they bring to the screen."""
    person.see("»", seconds=120)
    for keys, shown in steps:
        person.type(keys)
        person.see(shown, seconds=120)


def test_lines_are_completed_pasted_and_remembered_across_runs(tmp_path: Path):
    with terminal(tmp_path, command=COMMAND) as person:
        command = ("/sco\t", "pe"), (" hal\t", "/ferry.md"), ("\r", "read '/scope halls/ferry.md'")
        type_and_read(person, *command)
        type_and_read(person, ("Who wrote tow\t", "er.html"), ("?\r", "'Who wrote tower.html?'"))
        type_and_read(person, ("/scope ev\t", "ev"), ("\r", "read '/scope ev'"))
        pasted = "\x1b[200~Who wrote\r\nthis,\nand why?\x1b[201~"
        type_and_read(person, (pasted, "why?"), ("\r", "read 'Who wrote this, and why?'"))
        type_and_read(person, (" a secret\r", "read 'a secret'"))
        person.see("»", seconds=120)
        person.type("half\x03")
        person.see("stopped", seconds=120)
        person.see("»", seconds=120)
        person.type("\x04")
        assert person.process.wait(timeout=120) == 0
    [file] = (tmp_path / "home").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    with terminal(tmp_path, command=COMMAND) as person:
        last = ("\x1b[A", "and why?"), ("\r", "read 'Who wrote this, and why?'")
        type_and_read(person, *last)


def test_history_keeps_no_line_that_begins_with_a_space(tmp_path: Path):
    history = PrivateHistory(str(tmp_path / "history"))
    history.append_string(" a secret")
    assert not (tmp_path / "history").exists()


def test_long_history_keeps_its_newer_half(tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "history").write_text(
        "".join(f"\n# {number}\n+line {number}\n" for number in range(100_000))
    )
    history = open_history()
    newest = next(iter(history.load_history_strings()))
    assert newest == "line 99999"
    assert (home / "history").stat().st_size <= HISTORY_LIMIT // 2


def test_history_is_left_out_where_it_cannot_be_written(tmp_path: Path):
    (tmp_path / "home").write_text("not a folder")
    assert list(open_history().load_history_strings()) == []
