import pytest

from seminar.analysis.split_statistics import summarise, topics
from seminar.datasets.catalog import load
from seminar.examples import Example, Gold
from tests.paths import DATASET_FILES


def test_counts_of_dialogs_and_answers():
    summary = summarise(list(load("quac/val", DATASET_FILES)))
    assert summary["questions"] == 4
    assert summary["dialogs"] == 2
    assert summary["questions per dialog"] == 2
    assert summary["unanswerable %"] == 25
    assert summary["references per question"] == 2
    assert "topics per dialog" not in summary


def test_switches_of_topic():
    labels = ["A", "A", "B", "", "A", "C"]
    turns = [
        Example(str(n), "d", "q", Gold(("x",), topic=topic), turn=n)
        for n, topic in enumerate(labels)
    ]
    assert topics(turns) == {
        "topics per dialog": 3,
        "switch to a new topic %": 50,
        "switch to an old topic %": 25,
    }


def test_literal_and_pragmatic_spans():
    examples = list(load("pragmaticqa/val", DATASET_FILES))
    summary = summarise(examples)
    words = sum(len(s.text.split()) for one in examples for s in one.gold.literal) / len(examples)
    assert summary["words of literal spans"] == pytest.approx(words)
    assert "topics per dialog" not in summary


def test_an_empty_chunk_has_an_empty_summary():
    assert summarise([]) == {"questions": 0, "dialogs": 0}
