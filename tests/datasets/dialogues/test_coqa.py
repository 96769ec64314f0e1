import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example, Gold

STORY = "Pip the otter lived by the pier. Every morning he stole one fish."


def test_references_are_the_answer_and_the_additional_ones(files: Path):
    examples = list(load("coqa/dev", files))
    assert len(examples) == 3
    assert examples[0].history == ()
    assert examples[1] == Example(
        id="otter1#2",
        dialogue_id="otter1",
        question="What did he steal?",
        gold=Gold(
            answers=("one fish", "a fish"),
            spans=((47, 64), (56, 64)),
            evidence=(Evidence("he stole one fish"), Evidence("one fish")),
        ),
        history=(("Who lived by the pier?", "Pip"),),
        context=STORY,
        domain="mctest",
        sources=("otter1",),
        turn=2,
    )
    assert not examples[2].gold.answerable


def test_an_answer_is_missing(tmp_path: Path, files: Path):
    data = json.loads((files / "coqa/coqa-dev-v1.0.json").read_text())
    data["data"][0]["additional_answers"]["0"].pop()
    path = tmp_path / "coqa.json"
    path.write_text(json.dumps(data))
    with pytest.raises(DatasetError) as error:
        list(load_file("coqa", path))
    assert str(error.value) == (
        "coqa.json: data[0]: questions[2] has no answer (an annotator gave 2)"
    )
