import json
from dataclasses import replace
from pathlib import Path

import pytest

from seminar.datasets.catalog import load
from seminar.errors import ConfigurationError
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.runs import begin, check, digest, predict, weights
from seminar.evaluation.setup import System
from seminar.settings import Settings


class Counting:
    """A system that remembers what it was asked and can be made to stop at a question."""

    def __init__(self, stop_at: str = "") -> None:
        self.asked: list[str] = []
        self.stop_at = stop_at

    def predict(self, examples) -> list[Prediction]:
        if self.stop_at in [example.id for example in examples]:
            raise KeyboardInterrupt
        self.asked += [example.id for example in examples]
        return [Prediction(example.id, f"to {example.id}") for example in examples]


@pytest.fixture
def examples(files: Path):
    return list(load("quac/val", files))


def test_a_stopped_run_resumes_where_it_was(examples, tmp_path: Path):
    stopped, resumed = Counting(stop_at="C_vale_1_q#0"), Counting()
    with pytest.raises(KeyboardInterrupt):
        predict(System(stopped.predict), examples, tmp_path)
    timed = predict(System(resumed.predict), examples, tmp_path)
    assert stopped.asked == ["C_holt_1_q#0", "C_holt_1_q#1", "C_holt_1_q#2"]
    assert resumed.asked == ["C_vale_1_q#0"]
    assert [one.prediction.answer for one in timed] == [f"to {one.id}" for one in examples]


def test_a_line_that_was_cut_short_is_made_again(examples, tmp_path: Path):
    predict(System(Counting().predict), examples, tmp_path)
    file = tmp_path / "predictions.jsonl"
    whole = file.read_text()
    file.write_text(whole[:-20])
    again = Counting()
    predict(System(again.predict), examples, tmp_path)
    assert again.asked == ["C_vale_1_q#0"]
    ids = [json.loads(line)["id"] for line in file.read_text().splitlines()]
    assert ids == [example.id for example in examples]


def test_another_configuration_in_the_same_folder_is_refused(tmp_path: Path):
    system = System(Counting().predict, material="a")
    begin(tmp_path, {"system": "majority", "seed": 0}, system)
    check(tmp_path, {"system": "majority", "seed": 0})
    with pytest.raises(ConfigurationError, match="seed 0, now 1"):
        check(tmp_path, {"system": "majority", "seed": 1})
    with pytest.raises(ConfigurationError, match="material 'a', now 'b'"):
        begin(tmp_path, {"system": "majority", "seed": 0}, replace(system, material="b"))


def test_weights_are_fingerprinted_by_content(tmp_path: Path):
    (tmp_path / "model.onnx").write_text("one")
    (tmp_path / "card.md").write_text("a card")
    settings = Settings(encoder=str(tmp_path))
    before = weights(settings)
    (tmp_path / "card.md").write_text("another card")
    assert weights(settings) == before
    (tmp_path / "model.onnx").write_text("two")
    after = weights(settings)
    assert after["encoder"] != before["encoder"]
    assert after["shipped"] == before["shipped"] == weights(Settings())["shipped"]


def test_predictions_of_other_questions_are_refused(examples, tmp_path: Path):
    predict(System(Counting().predict), examples, tmp_path)
    with pytest.raises(ConfigurationError, match="predicts 'C_holt_1_q#0' where 'C_holt_1_q#1'"):
        predict(System(Counting().predict), examples[1:], tmp_path)


def test_progress_starts_at_the_predictions_already_made(examples, tmp_path: Path):
    steps = []
    predict(System(Counting().predict), examples[:3], tmp_path)
    predict(
        System(Counting().predict),
        examples,
        tmp_path,
        watch=lambda done, total: steps.append((done, total)),
    )
    assert steps == [(3, 4), (4, 4)]


def test_the_fingerprint_changes_with_the_data(examples):
    assert digest(examples) == digest(list(examples))
    assert digest(examples) != digest(examples[:-1])
