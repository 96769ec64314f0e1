from pathlib import Path

import pytest

from seminar.datasets.catalog import load
from seminar.evaluation.summaries import summarise, topics
from seminar.examples import Example, Gold


def test_counts_of_dialogs_and_answers(files: Path):
    summary = summarise(list(load("quac/val", files)))
    assert summary["questions"] == 4
    assert summary["dialogs"] == 2
    assert summary["questions per dialog"] == 2
    assert summary["unanswerable %"] == 25
    assert summary["references per question"] == 2
    assert "topics per dialog" not in summary


def test_switches_of_topic():
    told = ["A", "A", "B", "", "A", "C"]
    turns = [
        Example(str(n), "d", "q", Gold(("x",), topic=topic), turn=n) for n, topic in enumerate(told)
    ]
    assert topics(turns) == {
        "topics per dialog": 3,
        "switch to a new topic %": 50,
        "switch to an old topic %": 25,
    }


def test_literal_and_pragmatic_spans(files: Path):
    examples = list(load("pragmaticqa/val", files))
    summary = summarise(examples)
    words = sum(len(s.text.split()) for one in examples for s in one.gold.literal) / len(examples)
    assert summary["words of literal spans"] == pytest.approx(words)
    assert "topics per dialog" not in summary


def test_nothing_is_summed_up_as_nothing():
    assert summarise([]) == {"questions": 0, "dialogs": 0}
