import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.training.papers.seq2seq.answering import TextToTextConfig, text_to_text_task
from seminar.training.papers.seq2seq.rewriting import RewritingConfig, rewriting_task


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small files in the official forms of QReCC and SQuAD 2.0."""
    (tmp_path / "qrecc").mkdir()
    (tmp_path / "squad").mkdir()
    turns = [
        {
            "Conversation_no": number,
            "Turn_no": turn,
            "Conversation_source": "nq",
            "Context": ["where is it?", "in the north"] if turn == 2 else [],
            "Question": "how old is it?" if turn == 2 else "where is it?",
            "Rewrite": f"{'how old' if turn == 2 else 'where'} is the house {number}?",
            "Answer": "old",
            "Answer_URL": "",
        }
        for number in range(6)
        for turn in (1, 2)
    ]
    (tmp_path / "qrecc" / "qrecc_train.json").write_text(json.dumps(turns))
    asked = [
        {"id": "1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]},
        {"id": "2", "question": "Why?", "answers": [], "is_impossible": True},
    ]
    article = {"title": "Town", "paragraphs": [{"context": "Ann left.", "qas": asked}]}
    for split in ("train", "dev"):
        path = tmp_path / "squad" / f"{split}-v2.0.json"
        path.write_text(json.dumps({"data": [article]}))
    monkeypatch.setenv("SEMINAR_DATA", str(tmp_path))
    return tmp_path


def sources(task) -> list[str]:
    return sorted(pair.source for pair in task.examples)


def test_whole_dialogues_are_held_out_and_the_rest_is_learnt(data):
    config = RewritingConfig(
        data=("qrecc/train",), held_out_dialogues=2, disjoint=False, batch_size=2, sample=3
    )
    task = rewriting_task(config, cache=data, seed=0)
    first, later = "where is it?", "where is it? [SEP] in the north [SEP] how old is it?"
    assert sources(task) == [first] * 4 + [later] * 4
    assert len(task.held_out) == 3
    learnt = {pair.target for pair in task.examples}
    assert not learnt & {pair.target for pair in task.held_out}
    assert task.epoch_batches == 4


def test_what_a_scored_dialogue_shares_is_left_out(data):
    config = RewritingConfig(data=("qrecc/train",), held_out_dialogues=2, limit=5)
    task = rewriting_task(config, cache=data, seed=0)
    # The second turn of every dialogue shares both of its questions with the scored ones.
    assert sources(task) == ["where is it?"] * 4


def test_a_form_of_canard_has_no_title_where_the_data_have_none(data):
    config = RewritingConfig(
        data=("qrecc/train",), form="canard", held_out_dialogues=1, disjoint=False, limit=1
    )
    [source] = sources(rewriting_task(config, cache=data, seed=0))
    assert source in ("where is it?", "where is it? ||| in the north ||| how old is it?")


def test_questions_without_an_answer_are_learnt_too(data):
    config = TextToTextConfig(data=("squad/train-v2",), held_out="squad/dev-v2", batch_size=2)
    task = text_to_text_task(config, cache=data, seed=0)
    assert [(pair.source, pair.target) for pair in task.examples] == [
        (r"who? \n (town) ann left.", "ann"),
        (r"why? \n (town) ann left.", "unanswerable"),
    ]
    assert len(task.held_out) == 2
