import json
from pathlib import Path


def test_index_keeps_many_lost_files_until_forget_is_given(seminar, folder: Path, tmp_path: Path):
    to = ("--to", tmp_path / "index", "--json")
    seminar("index", folder, *to)
    for path in folder.iterdir():
        path.unlink()
    kept = seminar("index", folder, *to)
    assert "2 of 2 files are gone" in kept.err
    assert "If they were deleted: --forget" in kept.err
    assert json.loads(kept.out)["passages"] == 2
    gone = json.loads(seminar("index", folder, *to, "--forget").out)
    assert (gone["removed"], gone["passages"], gone["stale"]) == (2, 0, [])


def test_ask_answers_from_lost_files_and_says_so(seminar, folder: Path):
    seminar("ask", folder, "-q", "How long is the crossing?")
    for path in folder.iterdir():
        path.unlink()
    ended = seminar("ask", folder, "-q", "How long is the crossing?", "--json")
    assert "can't be seen since" in ended.err
    assert "55 minutes" in ended.out
    assert seminar("ask", folder, "-q", "How long?", "--forget").code == 2
