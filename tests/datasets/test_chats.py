"""Datasets about chats of several people: Molweni, FriendsQA."""

import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import load, load_file
from seminar.errors import DatasetError
from seminar.examples import Example, Gold


def test_molweni(files: Path):
    first, middle, last = load("molweni/test", files)
    assert first == Example(
        id="m1",
        dialogue_id="m1",
        question="What fails ?",
        gold=Gold(("the tide tool",), spans=((5, 18),)),
        context="kit: the tide tool fails rae: run it as root",
        sources=("test-0",),
    )
    assert middle.gold == Gold(answerable=False)
    assert last.gold.answers == ("rae",)


def test_friendsqa_counts_words_within_an_utterance(files: Path):
    examples = list(load("friendsqa/dev", files))
    assert len(examples) == 3
    context = "Kit Moor: I lost the red key .\nRae Lind, Bo Lind: Again ?"
    assert examples[0] == Example(
        id="f_What",
        dialogue_id="f_What",
        question="What is lost ?",
        gold=Gold(("red key", "the red key"), spans=((21, 28), (17, 28))),
        context=context,
        title="s01_e01_c01",
        sources=("s01_e01_c01",),
    )
    spans = [context[start:end] for one in examples for start, end in one.gold.spans]
    assert spans == ["red key", "the red key", "Kit Moor", "Again"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inner_end": 9}, r"words 3 to 9 aren't in an utterance of 6 words"),
        ({"utterance_id": 5}, r"utterance_id: expected an utterance of the scene, found 5"),
    ],
)
def test_friendsqa_answer_outside_the_scene(
    tmp_path: Path, files: Path, change: dict[str, int], message: str
):
    data = json.loads((files / "friendsqa/friendsqa_dev.json").read_text())
    data["data"][0]["paragraphs"][0]["qas"][0]["answers"][0].update(change)
    path = tmp_path / "friendsqa_dev.json"
    path.write_text(json.dumps(data))
    with pytest.raises(DatasetError, match=message):
        list(load_file("friendsqa", path))
