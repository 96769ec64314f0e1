import gzip
from pathlib import Path

import pytest

from seminar.errors import ScoringError
from seminar.evaluation.files import read_any


def test_json_and_json_lines_are_distinguished(tmp_path: Path):
    whole, lines = tmp_path / "a.json", tmp_path / "b.jsonl"
    whole.write_text('{\n "a": 1\n}')
    lines.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert read_any(whole).value == {"a": 1}
    assert read_any(lines).value == [{"a": 1}, {"a": 2}]


def test_gzipped_files_are_read(tmp_path: Path):
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}'))
    assert read_any(path).value == {"a": 1}


def test_a_key_that_comes_twice_is_noted(tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text('{"q1": "x", "q2": "y", "q1": "z"}')
    assert read_any(path).repeated == ("q1",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": "b"', "a.json: not JSON at line 1, column 10"),
        ('[\n{"a": 1},\n{"a"', "a.json: not JSON at line 3"),
        ('{"a": 1}\n{"a": 2}\n{"a"', "a.json:3: not JSON at column"),
        ("  \n", "a.json: the file is empty"),
        ("[" * 100_000, "nested too deeply"),
        (f'{{"a": {"1" * 5000}}}', "a.json: a whole number there has more digits"),
        (f'{{"a": 1}}\n{{"a": {"1" * 5000}}}', "a.json:2: a whole number there has more digits"),
    ],
)
def test_a_broken_file_is_named_with_its_place(content: str, message: str, tmp_path: Path):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(ScoringError, match=message.replace("[", r"\[")):
        read_any(path)
