"""Datasets without dialogs: NQ-open, gold passages, BoolQ."""

from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example, Gold


def test_nq_open(files: Path):
    examples = list(load("nq_open/dev", files))
    assert examples == [
        Example(
            "NQ-open.dev-0",
            "NQ-open.dev-0",
            "who built the lighthouse",
            Gold(("Mira Holt", "Holt")),
        ),
        Example("NQ-open.dev-1", "NQ-open.dev-1", "how deep is the sound", Gold(("90 metres",))),
        Example("NQ-open.dev-2", "NQ-open.dev-2", "when did the ferry start", Gold(("1922",))),
    ]


def test_nq_open_as_one_list(files: Path):
    assert list(load("nq_open/test", files)) == [
        Example("5", "5", "who sailed", Gold(("Orrin Vale",)))
    ]


def test_nq_open_in_dprs_form(files: Path):
    first, last = load("nq_open/dpr-test", files)
    assert first.gold.answers == ("Orrin Vale", "Vale's crew")
    assert (last.id, last.question) == ("topics.nq.test-1", "where is it")


def test_answers_that_are_no_list(tmp_path: Path):
    path = tmp_path / "nq-test.qa.csv"
    path.write_text("who\t['Holt'\n")
    with pytest.raises(DatasetError, match=r"nq-test\.qa\.csv:1: expected a list of answers"):
        list(load_file("nq_open/dpr-test", path))


def test_gold_passage_is_the_context(files: Path):
    first, last = load("nq_gold_passages/oracle", files)
    assert first == Example(
        id="oracle-0",
        dialogue_id="oracle-0",
        question="who built it",
        gold=Gold(("Mira Holt",), evidence=(Evidence("Built by Mira Holt.", title="Lighthouse"),)),
        context="Built by Mira Holt.",
        title="Lighthouse",
        sources=("oracle-0",),
    )
    assert last.gold.answers == ("90 metres", "90 m")


def test_prompt_is_taken_apart(files: Path):
    [example] = load("nq_gold_passages/openbook", files)
    assert example.question == "when did the ferry start"
    assert example.context == "The ferry began in 1922.\n\nIt is blue."
    assert example.gold.answers == ("1922", "in 1922")


def test_boolq(files: Path):
    first, middle, last = load("boolq/dev", files)
    assert first == Example(
        id="dev-0",
        dialogue_id="dev-0",
        question="is the sound deep",
        gold=Gold(("yes",), affirmation="yes"),
        context="The sound is deep.",
        title="Sound",
        sources=("dev-0",),
    )
    assert middle.gold.affirmation == "no"
    assert last.context == "He never came back."


def test_boolq_without_label_has_no_answer(files: Path):
    labelled, bare = load("boolq/combined", files)
    assert labelled.gold.answers == ("yes",)
    assert bare.gold == Gold()
