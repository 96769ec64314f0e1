from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Example, Gold

FERRY = "The Lindmere ferry crosses the sound twice a day. It was founded in 1922."


def test_version_two_has_questions_without_answers(files: Path):
    examples = list(load("squad/dev-v2", files))
    assert examples == [
        Example(
            id="s1",
            dialogue_id="s1",
            question="How often does the ferry cross?",
            gold=Gold(answers=("twice a day", "twice"), spans=((37, 48), (37, 42))),
            context=FERRY,
            title="Lindmere_ferry",
            sources=("Lindmere_ferry/0",),
        ),
        Example(
            id="s2",
            dialogue_id="s2",
            question="Who owns the ferry?",
            gold=Gold(answerable=False),
            context=FERRY,
            title="Lindmere_ferry",
            sources=("Lindmere_ferry/0",),
        ),
        Example(
            id="s3",
            dialogue_id="s3",
            question="What is deep?",
            gold=Gold(answers=("The sound",), spans=((0, 9),)),
            context="The sound is deep.",
            title="Sound",
            sources=("Sound/1",),
        ),
    ]


def test_version_one_marks_nothing_as_impossible(files: Path):
    [example] = load("squad/train", files)
    assert example.gold == Gold(answers=("1922",), spans=((68, 72),))


def test_unanswerable_questions_get_their_paragraph(files: Path):
    examples = list(load("squad/train-v2-unanswerable", files))
    assert [one.id for one in examples] == ["u1", "u2", "u3"]
    assert {one.context for one in examples} == {FERRY}
    assert not any(one.gold.answerable for one in examples)


def test_unanswerable_question_of_an_unknown_paragraph(tmp_path: Path, files: Path):
    (tmp_path / "train-v1.1.json").write_text((files / "squad/train-v1.1.json").read_text())
    path = tmp_path / "train-v2.0-unanswerable.jsonl"
    path.write_text('{"id": "u", "title": "Lindmere_ferry", "paragraph": 4, "question": "?"}\n')
    with pytest.raises(DatasetError, match=r"jsonl:1: no paragraph 4 under 'Lindmere_ferry'"):
        list(load_file("squad/train-v2-unanswerable", path))
