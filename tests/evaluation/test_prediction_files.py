import json
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, ScoringError
from seminar.evaluation.prediction_files import file_system, official_text
from seminar.evaluation.predictions import Prediction, Ranked, Timed, to_record
from seminar.evaluation.suites.catalog import scorers_of

SPLITS = {
    "quac/val": "quac",
    "squad/dev-v2": "squad-v2",
    "coqa/dev": "coqa",
    "topiocqa/dev": "topiocqa-reader",
    "qaconv/val": "qaconv",
    "nq_open/dev": "nq-open",
}


@pytest.mark.parametrize("name", SPLITS)
def test_what_is_written_officially_is_read_back(name: str, make_setup, tmp_path: Path):
    given = make_setup(name)
    predictions = [Prediction(one.id, f"answer {n}") for n, one in enumerate(given.examples)]
    path = tmp_path / "official.json"
    path.write_text(official_text(SPLITS[name], given.examples, predictions))
    assert scorers_of(name)["answers"] == SPLITS[name]
    assert file_system(path, given).predict(given.examples) == predictions


def test_rankings_are_read_back_as_retrieval(make_setup, tmp_path: Path):
    given = make_setup("topiocqa/dev")
    ranking = (Ranked("wiki:1", 1.0, "Sound [SEP] Depth", "The sound is deep."),)
    predictions = [Prediction(one.id, ranking=ranking) for one in given.examples]
    path = tmp_path / "official.json"
    path.write_text(official_text("topiocqa-retriever", given.examples, predictions))
    system = file_system(path, given)
    assert system.kind == "retrieval"
    assert system.predict(given.examples) == predictions


def test_rankings_of_segments_are_read_back_as_retrieval(make_setup, tmp_path: Path):
    given = make_setup("qaconv/val")
    ranking = (Ranked("bc3-1", 2.0), Ranked("openslack-9", 1.0))
    predictions = [Prediction(one.id, ranking=ranking) for one in given.examples]
    path = tmp_path / "official.json"
    path.write_text(official_text("qaconv-recall", given.examples, predictions))
    system = file_system(path, given)
    assert system.kind == "retrieval"
    assert system.predict(given.examples) == predictions


def test_a_scorer_of_questions_has_nothing_to_write():
    with pytest.raises(ConfigurationError, match="can't be written for ambigqa-questions"):
        official_text("ambigqa-questions", [], [])


def test_the_predictions_of_a_run_are_a_system(make_setup, tmp_path: Path):
    given = make_setup("pragmaticqa/val")
    predictions = [
        Prediction(one.id, "x", literal=("x",), pragmatic=("y",)) for one in given.examples
    ]
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(json.dumps(to_record(Timed(one))) for one in predictions))
    assert file_system(path, given).predict(given.examples) == predictions


def test_a_run_that_lacks_a_question_is_refused(make_setup, tmp_path: Path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": "C_holt_1_q#0", "answer": "x"}')
    with pytest.raises(ScoringError, match="3 missing: 'C_holt_1_q#1', 'C_holt_1_q#2'"):
        file_system(path, make_setup("quac/val"))


def test_another_datasets_predictions_are_named(make_setup, tmp_path: Path):
    path = tmp_path / "predictions.json"
    path.write_text('{"s1": "x"}')
    with pytest.raises(ScoringError, match="this looks like SQuAD, not QuAC"):
        file_system(path, make_setup("quac/val"))


def test_a_dataset_without_official_predictions_asks_for_lines(make_setup, tmp_path: Path):
    path = tmp_path / "predictions.json"
    path.write_text('{"s1": "x"}')
    with pytest.raises(ConfigurationError, match="friendsqa has no official format"):
        file_system(path, make_setup("friendsqa/dev"))
