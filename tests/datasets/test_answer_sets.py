"""Datasets whose gold is a set of answers: AmbigQA, WebQSP, WebQuestions."""

from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Example, Gold, Reading


def test_ambigqa_annotations(files: Path):
    examples = list(load("ambigqa/train", files))
    assert examples == [
        Example(
            id="-11",
            dialogue_id="-11",
            question="When did the ferry start?",
            gold=Gold(
                answers=("1922", "1790", "in 1790"),
                annotations=(
                    (
                        Reading(("1922",), "When did the steam ferry start?"),
                        Reading(("1790", "in 1790"), "When did the sail ferry start?"),
                    ),
                ),
            ),
        ),
        Example(
            id="12",
            dialogue_id="12",
            question="Who built the lighthouse?",
            gold=Gold(
                answers=("Mira Holt", "Holt"),
                annotations=((Reading(("Mira Holt", "Holt")),), (Reading(("Holt",)),)),
            ),
        ),
        Example(
            id="13",
            dialogue_id="13",
            question="Where is the sound?",
            gold=Gold(answers=("Lindmere",), annotations=((Reading(("Lindmere",)),),)),
        ),
    ]


def test_ambigqa_answer_sets(files: Path):
    first, last = load("ambigqa/dev", files)
    assert first.id == "ambigqa_dev_from_AmbigPrompt-0"
    assert first.gold.annotations == (
        (Reading(("Orrin Vale", "Vale")), Reading(("Kit",))),
        (Reading(("Vale",)),),
    )
    assert last.gold.answers == ("Lindmere",)


def test_ambigqa_annotation_of_an_unknown_type(tmp_path: Path):
    path = tmp_path / "dev.json"
    path.write_text('[{"id": "1", "question": "?", "annotations": [{"type": "noAnswer"}]}]')
    with pytest.raises(DatasetError) as error:
        list(load_file("ambigqa", path))
    assert str(error.value) == (
        "dev.json: [0].annotations[0].type: expected 'singleAnswer' or 'multipleQAs',"
        " found 'noAnswer'"
    )


def test_webqsp_keeps_questions_that_have_answers(files: Path):
    first, last = load("webqsp/test", files)
    assert first.question == "what rivers cross lindmere?"
    assert first.gold == Gold(
        answers=("Ouse", "Tarn"),
        annotations=((Reading(("Ouse",)), Reading(("Tarn",))), (Reading(("Ouse",)),)),
    )
    assert (last.id, last.gold.answers) == ("WebQTest-1", ("1702",))


def test_webqsp_answer_sets(files: Path):
    [example] = load("webqsp/dev-answers", files)
    assert example.gold.annotations == ((Reading(("Ouse", "River Ouse")), Reading(("Tarn",))),)


def test_webquestions(files: Path):
    first, middle, last = load("webquestions/val", files)
    assert first.gold.annotations == ((Reading(("Ouse",)), Reading(("Tarn",))),)
    assert (middle.id, middle.gold.answers) == ("wq2", ("Mira Holt",))
    assert last.question == "what is the capital?"
