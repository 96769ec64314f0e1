import json
from pathlib import Path


def test_index_is_built_updated_and_asked(seminar, folder: Path, tmp_path: Path):
    index = tmp_path / "index"
    built = json.loads(seminar("index", folder, "--to", index, "--json").out)
    assert (built["read"], built["kept"], built["passages"]) == (2, 0, 2)

    (folder / "tower.html").unlink()
    updated = json.loads(seminar("index", folder, "--to", index, "--json").out)
    assert (updated["read"], updated["kept"], updated["removed"]) == (0, 1, 1)

    record = json.loads(seminar("ask", index, "-q", "How long is the crossing?", "--json").out)
    assert record["literal"][0]["source"] == "ferry.md"


def test_index_prints_a_summary(seminar, folder: Path, tmp_path: Path):
    ended = seminar("index", folder, "--to", tmp_path / "index")
    assert ended.out.startswith("2 files read, 0 kept, 0 removed: 2 passages in ")


def test_each_unreadable_file_has_its_line(seminar, folder: Path, tmp_path: Path):
    (folder / "bad.md").write_bytes(b"\x00" * 50)
    (folder / "empty.txt").write_bytes(b"")
    ended = seminar("index", folder, "--to", tmp_path / "index")
    assert ended.code == 0
    assert [line.split(":")[0] for line in ended.err.splitlines()] == ["bad.md", "empty.txt"]
    assert ended.out.startswith("2 files read, 0 kept, 0 removed, 2 not readable: 2 passages")


def test_folder_of_other_files_is_not_overwritten(seminar, folder: Path):
    ended = seminar("index", folder, "--to", folder)
    assert ended.code == 2
    assert "is not an index and not empty" in ended.err
    assert (folder / "ferry.md").exists()


def test_index_built_with_another_encoder_is_an_error(seminar, folder: Path, tmp_path: Path):
    seminar("index", folder, "--to", tmp_path / "index", "--encoder", "static")
    ended = seminar("index", folder, "--to", tmp_path / "index", "--encoder", "minilm")
    assert ended.code == 2
    assert "was made with encoder 'static'" in ended.err


def test_patterns_choose_the_files_of_a_folder(seminar, folder: Path, tmp_path: Path):
    (folder / "gate.py").write_text('"""The gate opens at four."""\n')
    index = tmp_path / "index"
    ended = seminar("index", folder, "--to", index)
    assert ended.out.startswith("2 files read")
    assert "passed over 1 file of code or settings (1 .py); --include '*' reads" in ended.err
    added = json.loads(seminar("index", folder, "--to", index, "--include", "*", "--json").out)
    assert (added["read"], added["kept"]) == (1, 2)
    left = ("--include", "*", "--exclude", "*.html", "--exclude", "*.py")
    assert json.loads(seminar("index", folder, "--to", index, *left, "--json").out)["removed"] == 2
    ended = seminar("ask", index, "--include", "*", "-q", "How long is the crossing?")
    assert "--include and --exclude have no effect" in ended.err
    assert "--exclude: " in seminar("index", folder, "--to", index, "--exclude", "!").err
