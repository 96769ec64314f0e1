"""Mail threads, and people's summaries of them as questions of who said it."""

from pathlib import Path

import pytest

from seminar.datasets.catalog import load, threads
from seminar.errors import DatasetError
from tests.paths import DATASET_FILES


def test_mails_are_one_line_each_without_what_they_quote():
    [thread] = threads("bc3", DATASET_FILES)
    assert thread.title == "Two weeks?"
    assert thread.text == (
        "Ines Calloway: Shall we meet for two weeks?\nbo@example.org: One is enough."
    )
    assert [(one.speaker, one.source) for one in thread.utterances] == [
        ("Ines Calloway", "007-1"),
        ("bo@example.org", "007-1"),
    ]


def test_a_summary_that_begins_with_the_writer_of_its_one_mail_asks_who():
    asked = [
        (one.question, one.gold.answers, one.sources)
        for one in load("bc3/summaries", DATASET_FILES)
    ]
    assert asked == [
        ("Who asks whether to meet for two weeks?", ("Ines Calloway",), ("007-1",)),
        ("Who finds one enough?", ("bo@example.org",), ("007-1",)),
    ]


def test_a_file_that_is_cut_off_names_itself(tmp_path: Path):
    (tmp_path / "bc3").mkdir()
    (tmp_path / "bc3/corpus.xml").write_text("<root><thread>")
    with pytest.raises(DatasetError, match=r"corpus\.xml: not XML, or cut off"):
        list(threads("bc3", tmp_path))
