from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Example, Gold


def test_history_follows_title_and_section(files: Path):
    examples = list(load("canard/dev", files))
    assert [one.id for one in examples] == ["C_holt_1_q#0", "C_holt_1_q#1", "C_vale_1_q#0"]
    assert examples[1] == Example(
        id="C_holt_1_q#1",
        dialogue_id="C_holt_1",
        question="When?",
        gold=Gold(rewrites=("When did Mira Holt build the Lindmere lighthouse?",)),
        history=(("What did she build?", "the Lindmere lighthouse"),),
        title="Mira Holt",
        section="Lighthouse",
        turn=2,
    )


def test_pairs_know_earlier_questions_but_not_their_answers(files: Path):
    examples = list(load("canard/train-pairs", files))
    assert [(one.question, one.gold.rewrites, one.history) for one in examples] == [
        ("who was she", ("who was Mira Holt?",), ()),
        ("when did she sail", ("when did Mira Holt sail?",), (("who was she", ""),)),
        ("where is it", ("where is Lindmere?",), ()),
    ]


def test_pairs_that_do_not_match(tmp_path: Path):
    (tmp_path / "a.question.tsv").write_text("C_a_0_q#0\twho\n")
    (tmp_path / "a.rewrite.tsv").write_text("C_a_0_q#1\twho is it\n")
    with pytest.raises(DatasetError, match=r"a\.question\.tsv:1: .* found 'C_a_0_q#0'"):
        list(load_file("canard/train-pairs", tmp_path / "a.question.tsv"))


def test_pairs_of_unequal_length(tmp_path: Path):
    (tmp_path / "a.question.tsv").write_text("C_a_0_q#0\twho\nC_a_0_q#1\twhy\n")
    (tmp_path / "a.rewrite.tsv").write_text("C_a_0_q#0\twho is it\n")
    with pytest.raises(DatasetError, match=r"a\.question\.tsv: has not as many lines as"):
        list(load_file("canard/train-pairs", tmp_path / "a.question.tsv"))


def test_odd_history(tmp_path: Path):
    path = tmp_path / "dev.json"
    path.write_text(
        '[{"History": ["Title"], "QuAC_dialog_id": "C", "Question": "?", "Question_no": 1,'
        ' "Rewrite": "?"}]'
    )
    with pytest.raises(DatasetError, match=r"dev\.json: \[0\]\.History: expected title, section"):
        list(load_file("canard", path))
