import gzip
from pathlib import Path

import pytest

from seminar.datasets.files import read_json, read_json_lines, read_rows
from seminar.datasets.records import Record
from seminar.errors import DatasetError


def test_truncated_json_says_where(tmp_path: Path):
    path = tmp_path / "val.json"
    path.write_text('{"data": [\n{"title": ')
    with pytest.raises(DatasetError, match=r"val\.json: not JSON at line 2, column 11"):
        read_json(path)


def test_json_nested_without_end(tmp_path: Path):
    path = tmp_path / "val.json"
    path.write_text("[" * 200_000)
    with pytest.raises(DatasetError, match=r"val\.json: JSON nested too deeply"):
        read_json(path)


def test_a_number_without_end(tmp_path: Path):
    path = tmp_path / "val.json"
    path.write_text(f'{{"turn": {"1" * 5000}}}')
    with pytest.raises(DatasetError, match=r"val\.json: a whole number there has more digits"):
        read_json(path)


def test_truncated_gzip(tmp_path: Path):
    path = tmp_path / "val.json.gz"
    path.write_bytes(gzip.compress(b'{"data": []}' * 50)[:-12])
    with pytest.raises(DatasetError, match=r"val\.json\.gz: can't be read to its end"):
        read_json(path)
    with pytest.raises(DatasetError, match=r"val\.json\.gz:1: can't be read on"):
        list(read_json_lines(path))


def test_not_text(tmp_path: Path):
    path = tmp_path / "val.jsonl"
    path.write_bytes(b'{"a": 1}\n\xff\xfe\n')
    with pytest.raises(DatasetError, match=r"val\.jsonl:\d: can't be read on"):
        list(read_json_lines(path))


def test_a_folder_is_no_file(tmp_path: Path):
    with pytest.raises(DatasetError, match="can't be opened"):
        read_json(tmp_path)


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path):
    path = tmp_path / "val.jsonl"
    path.write_text('{"a": 1}\n\n[]\n')
    first, last = read_json_lines(path)
    assert first == Record({"a": 1}, "val.jsonl:1")
    with pytest.raises(DatasetError, match=r"val\.jsonl:3: expected an object, found \[\]"):
        last.text("a")


def test_rows_of_another_width(tmp_path: Path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a\tb\nc\n")
    rows = read_rows(path, 2)
    assert next(rows) == ("pairs.tsv:1", ["a", "b"])
    with pytest.raises(DatasetError, match=r"pairs\.tsv:2: expected 2 tab-separated columns, foun"):
        next(rows)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"n": "x"}, r"n: expected a whole number, found 'x'"),
        ({"n": True}, r"n: expected a whole number, found True"),
        ({"n": 1.5}, r"n: expected a whole number, found 1.5"),
        ({}, r"has no 'n' \(it has nothing\)"),
    ],
)
def test_whole_numbers(value: object, message: str):
    with pytest.raises(DatasetError, match=message):
        Record(value, "file.json").integer("n")


def test_digits_are_a_whole_number():
    assert Record({"n": "12"}, "file.json").integer("n") == 12


def test_values_of_other_kinds_are_named():
    record = Record({"flag": "yes", "list": {}, "name": 2.5}, "file.json")
    with pytest.raises(DatasetError, match="flag: expected true or false, found 'yes'"):
        record.flag("flag")
    with pytest.raises(DatasetError, match=r"list: expected a list, found \{\}"):
        list(record.items("list"))
    with pytest.raises(DatasetError, match=r"name: expected text or a whole number, found 2\.5"):
        record.name("name")
