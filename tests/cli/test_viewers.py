"""Citations are opened by real programs: an editor, a desktop's opener and a browser of ours."""

import os
import stat
from pathlib import Path

import pytest

from seminar.cli.viewers import open_location
from seminar.errors import SeminarError
from seminar.locations import Location


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs that write their arguments to a file of their name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("nano", "vim", "code", "oddity", "xdg-open", "open"):
        program = folder / name
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/{name}.txt\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path


def place(folder: Path, name: str = "a b; rm -rf.md", line: int | None = 3) -> Location:
    (folder / name).touch()
    return Location(f"{name}:3:7", folder / name, line, 7 if line else None)


@pytest.mark.parametrize(
    ("editor", "program", "arguments"),
    [
        ("nano", "nano", ["+3,7", "{file}"]),
        ("vim -R", "vim", ["-R", "+3", "{file}"]),
        ("code --wait", "code", ["--wait", "--goto", "{file}:3:7"]),
        ("oddity", "oddity", ["{file}"]),
    ],
)
def test_editor_opens_the_file_at_its_line(
    programs: Path, editor: str, program: str, arguments: list[str]
):
    location = place(programs)
    assert open_location(location, {"EDITOR": editor})
    written = (programs / f"{program}.txt").read_text().splitlines()
    assert written == [argument.format(file=location.file) for argument in arguments]


def test_visual_comes_before_editor_and_without_both_nothing_is_opened(programs: Path):
    assert open_location(place(programs), {"VISUAL": "nano", "EDITOR": "vim"})
    assert (programs / "nano.txt").exists()
    assert not open_location(place(programs), {})


def test_document_is_opened_by_the_desktop_and_nothing_else_is(programs: Path):
    assert open_location(place(programs, "report.PDF", None), {})
    for name in ("run.desktop", "run.sh", "page.html", "run"):
        assert not open_location(place(programs, name), {})
    opened = [*programs.glob("xdg-open.txt"), *programs.glob("open.txt")]
    assert [file.read_text().strip() for file in opened] in ([], [str(programs / "report.PDF")])


def test_desktop_without_a_program_for_a_document_is_an_error_that_names_the_file(programs: Path):
    for name in ("xdg-open", "open"):
        (programs / "bin" / name).write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(SeminarError, match=r"no program opens it here; the file is .*report\.pdf"):
        open_location(place(programs, "report.pdf", None), {})


@pytest.mark.parametrize(
    ("editor", "message"),
    [
        ("no-such-editor-here", "can't be run: No such file or directory; set EDITOR"),
        ("'", "is not a command; set it"),
        ("false", "false ended with code 1"),
    ],
)
def test_editor_that_fails_is_an_error_of_one_line(tmp_path: Path, editor: str, message: str):
    with pytest.raises(SeminarError, match=message):
        open_location(place(tmp_path), {"EDITOR": editor})


def test_place_without_a_file_says_why():
    with pytest.raises(SeminarError, match=r"the file of a\.md:3 is not at hand"):
        open_location(Location("a.md:3"), {"EDITOR": "nano"})


def test_permalink_that_is_no_web_address_is_not_opened():
    with pytest.raises(SeminarError, match="is not at hand"):
        open_location(Location("a.md:3", permalink="javascript:alert(1)"), {})
