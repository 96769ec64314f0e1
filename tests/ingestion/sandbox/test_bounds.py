import gzip
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.read_options import ReadOptions
from seminar.ingestion.sandbox.bounds import Bounds, Spent, size_of
from seminar.ingestion.sandbox.pool import Sandbox
from seminar.ingestion.sandbox.processes import Limits
from seminar.types import Document, Thread, Utterance


def test_bounds_grow_with_the_size_of_the_file():
    assert Bounds.of(0, 60) == Bounds(600.0, 200_000, 1_000_000_000)
    assert Bounds.of(1_000_000, 60) == Bounds(620.0, 300_000, 1_200_000_000)
    assert Bounds.of(1_000_000, 60, ocr=True).seconds == 800.0


def test_messages_and_characters_are_counted_over_all_items():
    spent = Spent(Bounds(1.0, 3, 10))
    thread = Thread("a#1", "T", "x", tuple(Utterance(str(n), "Ada", "x") for n in range(3)))
    spent.count(thread)
    with pytest.raises(IngestionError, match="more than 3 messages"):
        spent.count(Document("a", "A", "x"))
    with pytest.raises(IngestionError, match="more than 10 characters"):
        Spent(Bounds(1.0, 3, 10)).count(Document("a", "A", "x" * 11))


def test_a_folder_is_as_large_as_its_files(tmp_path: Path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(b"1234")
    assert size_of(tmp_path) == 4
    assert size_of(tmp_path / "none") == 0


@pytest.mark.parametrize("threads", [True, False])
def test_a_small_file_of_very_many_messages_is_cut_off(tmp_path: Path, threads: bool):
    path = tmp_path / "chat.jsonl.gz"
    line = b'{"speaker": "a", "text": "b"}\n'
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(line * 400_000)
    sandbox = Sandbox(Limits(seconds=60))
    items = []
    reading = sandbox.read(path, path.name, print, options=ReadOptions(threads=threads))
    with pytest.raises(IngestionError, match="which a file of this size should not have"):
        items.extend(reading)
    sandbox.close()
    assert 0 < sum(len(item.utterances) for item in items) <= 210_000
