from pathlib import Path

import pytest

from seminar.datasets.catalog import load
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example, Gold


def test_2019_joins_rewrites_and_judgements(files: Path):
    examples = list(load("trec_cast/2019", files))
    assert [one.id for one in examples] == ["31_1", "31_2", "32_1"]
    assert examples[1] == Example(
        id="31_2",
        dialogue_id="31",
        question="What causes them?",
        gold=Gold(rewrites=("What causes tides?",), relevance=(("CAR_aa", 2), ("MARCO_7", 0))),
        history=(("What are tides?", ""),),
        title="tides",
        turn=2,
    )


def test_2021_gives_canonical_passages(files: Path):
    first, last = load("trec_cast/2021", files)
    assert first.gold.evidence == (
        Evidence("Tides are the rise and fall of the sea.", "MARCO_D5-7"),
    )
    assert last.history == (("What are tides?", "Tides are the rise and fall of the sea."),)
    assert last.gold.rewrites == ("What causes tides?",)


def test_2022_follows_each_branch(files: Path):
    first, middle, last = load("trec_cast/2022", files)
    assert first.gold == Gold(
        answers=("The rise and fall of the sea.",),
        rewrites=("What are tides?",),
        evidence=(Evidence(source="MARCO_1-2"),),
    )
    before = (("What are tides?", "The rise and fall of the sea."),)
    assert (middle.id, middle.history, middle.gold.answers) == ("132_1-3", before, ())
    assert (last.id, last.history, last.gold.answers) == (
        "132_2-1",
        before,
        ("Up to 16 metres.",),
    )


def test_judgements_of_another_form(tmp_path: Path):
    folder = tmp_path / "trec_cast" / "2020"
    folder.mkdir(parents=True)
    (folder / "2020_manual_evaluation_topics_v1.0.json").write_text("[]")
    (folder / "2020qrels.txt").write_text("81_1 0 CAR_x 1\n81_1 0 CAR_y\n")
    with pytest.raises(DatasetError, match=r"2020qrels\.txt:2: expected 'turn 0 passage grade'"):
        list(load("trec_cast/2020", tmp_path))
