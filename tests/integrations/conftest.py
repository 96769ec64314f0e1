from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "ferry.md").write_text(
        "# The ferry\n\n## Crossing\n\nThe crossing takes 55 minutes. Dogs travel free.\n"
    )
    (folder / "tower.txt").write_text("The tower was finished in 1911 by Edda Thornquist.\n")
    return folder
