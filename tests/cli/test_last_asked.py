import os
from pathlib import Path

import pytest

from seminar.cli.last_asked import FILE_NAME, recall, remember
from seminar.errors import SeminarError
from seminar.ingestion.selection import Selection
from seminar.settings import Settings, home


def test_paths_patterns_and_encoder_are_recalled(tmp_path: Path):
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    remember([odd, Path("notes")], Selection(("*.md",), ("drafts/",)), Settings(encoder="minilm"))
    paths, selection, settings = recall()
    assert paths == (odd, Path.cwd() / "notes")
    assert (selection.include, selection.exclude) == (("*.md",), ("drafts/",))
    assert settings["encoder"] == "minilm"
    assert (home() / FILE_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"paths": ["zz"]}', '{"paths": 3}'])
def test_file_that_is_not_as_written_counts_as_nothing_asked(content: str):
    home().mkdir()
    (home() / FILE_NAME).write_text(content)
    with pytest.raises(SeminarError, match="nothing was asked so far: name the files too"):
        recall()


def test_folder_that_cannot_be_written_is_no_error():
    home().write_text("not a folder")
    remember([Path("notes")], Selection(), Settings())
