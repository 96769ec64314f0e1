import json
import shutil
from pathlib import Path


def test_doctor_prints_a_line_for_each_check(seminar, folder: Path):
    seminar("ask", folder, "-q", "How long is the crossing?")
    ended = seminar("doctor", folder)
    assert (ended.code, ended.err) == (0, "")
    assert "good weights of reader: as their card says" in ended.out
    assert ": 2 passages of 2 files, encoder minilm" in ended.out


def test_doctor_fails_for_a_damaged_index_and_prints_json(seminar, folder: Path, tmp_path: Path):
    seminar("index", folder, "--to", tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / "passages.lance")
    ended = seminar("doctor", tmp_path / "index", "--json")
    assert ended.code == 1
    [bad] = [one for one in map(json.loads, ended.out.splitlines()) if one["state"] == "bad"]
    assert bad["subject"] == "index index"
    assert bad["advice"].startswith("seminar doctor --repair ")


def test_doctor_repairs_an_index_and_its_files_are_read_again(seminar, folder: Path, tmp_path):
    seminar("index", folder, "--to", tmp_path / "index")
    shutil.rmtree(tmp_path / "index" / "passages.lance")
    ended = seminar("doctor", tmp_path / "index", "--repair", "--json")
    assert ended.code == 0
    [note] = [one for one in map(json.loads, ended.out.splitlines()) if one["state"] == "note"]
    assert note["detail"].startswith("rebuilt; 0 files are as they were, lost: ")
    again = json.loads(seminar("index", folder, "--to", tmp_path / "index", "--json").out)
    assert (again["read"], again["passages"]) == (2, 2)
