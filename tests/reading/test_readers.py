import json
import shutil
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.reading.readers import READERS, load_reader
from seminar.reading.sentence_reader import SentenceReader
from seminar.reading.span_reader import SpanReader
from seminar.types import Hit, Passage, Query
from tests.paths import TINY_READER


def test_reader_is_chosen_by_name_and_loaded_once():
    assert isinstance(load_reader("sentence"), SentenceReader)
    assert load_reader("sentence") is load_reader("sentence")
    assert sorted(READERS) == ["sentence", "span"]


def test_folder_loads_trained_reader():
    assert isinstance(load_reader(str(TINY_READER)), SpanReader)


def test_unknown_name_suggests_most_similar_one():
    with pytest.raises(ConfigurationError, match=r"unknown reader 'spam'\. Did you mean 'span'"):
        load_reader("spam")


def test_shipped_reader_finds_answer():
    text = "The college was founded by Josiah Whitlow in 1846. It stands on an island."
    passage = Passage("history.md", 0, len(text), text, title="History")
    query = Query("Who founded the college?", "Who founded the college?")
    [[best, *_]] = load_reader("span").read([query], [[Hit(passage, 1.0)]])
    assert best.span.text == "Josiah Whitlow"


def test_folder_without_calibration_names_command_that_creates_it(tmp_path: Path):
    folder = tmp_path / "reader"
    shutil.copytree(TINY_READER, folder)
    (folder / "calibration.json").write_text(json.dumps({"answer": {"bias": 0.0}}))
    with pytest.raises(ConfigurationError, match="no weight for span, evidence"):
        load_reader(str(folder))
    (folder / "calibration.json").unlink()
    with pytest.raises(ConfigurationError, match=r"training\.fitting\.calibration --model"):
        load_reader(str(folder))
