import hashlib
import itertools
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from seminar.errors import DatasetError, SeminarError
from seminar.io import (
    ahead,
    content_hash,
    read_bounded,
    read_json_lines,
    write_atomic,
    write_json_lines,
)


def test_json_lines_come_back_as_written(tmp_path: Path):
    path = tmp_path / "new" / "records.jsonl"
    write_json_lines(path, [{"a": 1}, {"b": "ünï\u2028code"}])
    assert list(read_json_lines(path)) == [{"a": 1}, {"b": "ünï\u2028code"}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1}\n\n{"a": \n', "x.jsonl:3: not JSON"),
        (b"[1]\n", "x.jsonl:1: expected a JSON object, found list"),
        (b'{"a": "\xff"}\n', "x.jsonl:1: not UTF-8"),
        (b'{"a": ' + b"[" * 200_000, "x.jsonl:1: JSON nested too deeply"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, content: bytes, message: str):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(DatasetError) as error:
        list(read_json_lines(path, error=DatasetError))
    assert str(error.value).startswith(message)


def test_a_failed_write_leaves_the_old_content_and_nothing_else(tmp_path: Path):
    path = tmp_path / "x.jsonl"
    write_atomic(path, b"old")

    def records():
        yield {"a": 1}
        raise SeminarError("no more")

    with pytest.raises(SeminarError, match="no more"):
        write_json_lines(path, records())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_atomic_write_keeps_the_mode_of_the_file(tmp_path: Path):
    path = tmp_path / "x"
    write_atomic(path, b"1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    write_atomic(path, b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"2"


def test_a_write_over_a_folder_fails_and_leaves_no_temporary_file(tmp_path: Path):
    (tmp_path / "x" / "y").mkdir(parents=True)
    with pytest.raises(OSError, match=r"x"):
        write_atomic(tmp_path / "x", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_bounded_reads_stop_at_the_limit(tmp_path: Path):
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    assert read_bounded(path, 4) is None


def test_the_content_hash_is_blake2b(tmp_path: Path):
    path = tmp_path / "x"
    path.write_bytes(b"abc" * 700_000)
    assert content_hash(path) == hashlib.blake2b(b"abc" * 700_000, digest_size=16).hexdigest()


def test_items_made_ahead_come_in_the_order_of_their_sources():
    sources = (range(ten, ten + 10) for ten in range(0, 100, 10))
    with ahead(sources, at_once=3, size=4) as numbers:
        assert list(numbers) == list(range(100))
    with ahead([], at_once=3, size=4) as numbers:
        assert list(numbers) == []


def test_sources_run_at_once():
    together = threading.Barrier(2, timeout=10)

    def waits() -> Iterator[int]:
        yield together.wait()

    with ahead([waits(), waits()], at_once=2, size=2) as numbers:
        assert sorted(numbers) == [0, 1]


def test_an_error_comes_where_its_item_would_have():
    def broken() -> Iterator[int]:
        yield 2
        raise ValueError("third")

    with ahead([[1], broken(), [4]], at_once=2, size=3) as numbers:
        assert [next(numbers), next(numbers)] == [1, 2]
        with pytest.raises(ValueError, match="third"):
            next(numbers)


def test_no_more_is_made_than_asked_for_and_the_threads_end():
    made: list[int] = []
    threads = threading.active_count()

    def endless(first: int) -> Iterator[int]:
        for number in itertools.count(first):
            made.append(number)
            yield number

    with ahead(map(endless, itertools.count()), at_once=2, size=3) as numbers:
        assert next(numbers) == 0
        time.sleep(0.2)
        assert len(made) <= 8  # of two sources: taken, waiting, and in hand
    assert threading.active_count() == threads


def test_the_hash_of_several_files_covers_their_names_and_contents(tmp_path: Path):
    for name in ("a/x", "a/y", "b/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("same")
    one = content_hash(tmp_path / "a" / "x", tmp_path / "a" / "y")
    assert one == content_hash(tmp_path / "a" / "x", tmp_path / "a" / "y")
    assert one != content_hash(tmp_path / "a" / "y", tmp_path / "a" / "x")
    assert one != content_hash(tmp_path / "b" / "x", tmp_path / "a" / "y")
    (tmp_path / "a" / "y").write_text("other")
    assert one != content_hash(tmp_path / "a" / "x", tmp_path / "a" / "y")
