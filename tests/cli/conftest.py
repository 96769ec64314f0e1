from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from seminar.cli.main import run


@dataclass(frozen=True)
class Ended:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def private_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "ferry.md").write_text(
        "# The ferry\n\n## Crossing\n\nThe crossing takes 55 minutes. Dogs travel free.\n"
    )
    (folder / "tower.html").write_text(
        "<title>The tower</title><nav>Home</nav><h1>The tower</h1>"
        "<p>The tower was finished in 1911 by Edda Thornquist.</p>"
    )
    return folder


@pytest.fixture
def seminar(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run the command line in this process, as the installed script does."""

    def command(*arguments: str | Path) -> Ended:
        code = 0
        try:
            run([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return command
