from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example, Gold


def test_official_file(files: Path):
    examples = list(load("qrecc/test", files))
    assert len(examples) == 3
    assert examples[0] == Example(
        id="7_1",
        dialogue_id="7",
        question="What is the Lindmere ferry?",
        gold=Gold(
            answers=("A boat across the sound.",),
            rewrites=("What is the Lindmere ferry?",),
            evidence=(Evidence(source="https://example.org/ferry"),),
        ),
        domain="trec",
    )
    assert examples[1].history == (("What is the Lindmere ferry?", "A boat across the sound."),)
    assert examples[1].gold == Gold(answerable=False, rewrites=("Who owns the Lindmere ferry?",))
    assert (examples[2].id, examples[2].domain) == ("8_1", "nq")


def test_shared_task_names_its_passages(files: Path):
    [example] = load("qrecc/dev-part", files)
    assert example.history == (("What is it?", "A boat"),)
    assert example.gold == Gold(
        answers=("The town",),
        rewrites=("Who owns the ferry?",),
        evidence=(
            Evidence(source="https://example.org/ferry_p1"),
            Evidence(source="https://example.org/ferry_p2"),
        ),
    )


def test_rewrites_after_a_conversation_in_one_text(files: Path):
    first, last = load("qrecc/train-part", files)
    assert first.history == (("what is it?", "A ferry."),)
    assert last.history == (
        ("what is it?", "A ferry."),
        ("since when?", "It began in 1922.\nIt stopped twice."),
    )
    assert last.gold.rewrites == ("why did the ferry stop?",)
    assert last.turn == 3


def test_a_conversation_without_answers(tmp_path: Path):
    path = tmp_path / "part.jsonl"
    path.write_text('{"conversation": "Q: who?", "question": "why?", "label": "why?"}\n')
    with pytest.raises(DatasetError, match=r"part\.jsonl:1: conversation: expected lines 'Q: "):
        list(load_file("qrecc/train-part", path))
