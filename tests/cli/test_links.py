import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from seminar.cli.links import address, safe, shows_links
from seminar.locations import Location


def terminal() -> Console:
    return Console(file=StringIO(), force_terminal=True, color_system="truecolor")


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({"VTE_VERSION": "7600"}, True),
        ({"VTE_VERSION": "4200"}, False),
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"WT_SESSION": "1"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
        ({"VTE_VERSION": "7600", "NO_COLOR": "1"}, False),
    ],
)
def test_links_are_shown_in_known_terminals(environment: dict[str, str], shown: bool):
    assert shows_links(terminal(), environment) == shown


def test_links_are_never_shown_outside_of_a_terminal():
    assert not shows_links(Console(file=StringIO()), {"VTE_VERSION": "7600"})


def test_address_of_a_file_names_this_machine_and_escapes_the_path(tmp_path: Path):
    location = Location("a b.md:3", tmp_path / "a b#\u202e\x1b]8;;.md", 3)
    assert re.fullmatch(r"file://[!-~]*/a%20b%23%E2%80%AE%1B%5D8%3B%3B.md", address(location, {}))


def test_address_has_the_line_where_the_terminal_opens_it(tmp_path: Path):
    location = Location("a.md:3", tmp_path / "a.md", 3, 7)
    assert address(location, {"TERM_PROGRAM": "vscode"}) == f"vscode://file{tmp_path}/a.md:3:7"
    assert address(location, {"KITTY_WINDOW_ID": "1"}).endswith("/a.md#3")


def test_permalink_comes_before_the_file(tmp_path: Path):
    link = "https://example.slack.com/archives/C1/p17"
    assert address(Location("a", tmp_path / "a.json", permalink=link), {}) == link


@given(st.text())
def test_address_is_printable_ascii_or_nothing(text: str):
    assert re.fullmatch(r"[!-~]*", safe(text))
    assert re.fullmatch(r"[!-~]*", address(Location("a", permalink=f"https://{text}"), {}))


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "http://a", "https://a\x1b"]
)
def test_address_of_another_kind_is_refused(url: str):
    assert safe(url) == ""
