from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.selection import Ignored, Selection


def test_exclusion_wins_over_inclusion():
    selection = Selection(include=("*.md",), exclude=("/drafts/", "b.md"))
    assert not selection.leaves_out("docs/a.md")
    assert selection.leaves_out("docs/b.md")
    assert selection.leaves_out("docs/a.txt")
    assert selection.leaves_out("drafts", folder=True)
    assert not selection.leaves_out("docs", folder=True)


def test_faulty_pattern_of_the_user_is_an_error_that_names_the_option():
    with pytest.raises(IngestionError, match=r"^--include: .*'!'"):
        Selection(include=("!",))


def test_innermost_ignore_file_decides(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\n")
    (tmp_path / "in" / ".seminarignore").write_text("!keep.log\n")
    outer, faults = Ignored().within(tmp_path, {".gitignore", "in"})
    inner, _ = outer.within(tmp_path / "in", {".seminarignore"})
    assert faults == []
    assert outer.matches(tmp_path / "a.log", folder=False)
    assert inner.matches(tmp_path / "in" / "a.log", folder=False)
    assert not inner.matches(tmp_path / "in" / "keep.log", folder=False)
    assert inner.matches(tmp_path / "in" / "build", folder=True)
    assert not inner.matches(tmp_path / "in" / "build", folder=False)
