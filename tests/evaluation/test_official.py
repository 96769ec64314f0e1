import json
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError, ScoringError
from seminar.evaluation.official import SCORER_OF, WRITERS, file_system, official_text, scorers_of
from seminar.evaluation.predictions import Prediction, Ranked, Timed, to_record

SPLITS = {
    "quac/val": "quac",
    "squad/dev-v2": "squad-v2",
    "coqa/dev": "coqa",
    "topiocqa/dev": "topiocqa-reader",
    "qaconv/val": "qaconv",
    "nq_open/dev": "nq-open",
}


def test_every_official_scorer_has_a_writer():
    assert {scorer for kinds in SCORER_OF.values() for scorer in kinds.values()} == set(WRITERS)


@pytest.mark.parametrize("name", SPLITS)
def test_what_is_written_officially_is_read_back(name: str, bench, tmp_path: Path):
    given = bench(name)
    said = [Prediction(one.id, f"answer {n}") for n, one in enumerate(given.examples)]
    path = tmp_path / "official.json"
    path.write_text(official_text(SPLITS[name], given.examples, said))
    assert scorers_of(name)["answers"] == SPLITS[name]
    assert file_system(path, given).predict(given.examples) == said


def test_rankings_are_read_back_as_retrieval(bench, tmp_path: Path):
    given = bench("topiocqa/dev")
    ranking = (Ranked("wiki:1", 1.0, "Sound [SEP] Depth", "The sound is deep."),)
    said = [Prediction(one.id, ranking=ranking) for one in given.examples]
    path = tmp_path / "official.json"
    path.write_text(official_text("topiocqa-retriever", given.examples, said))
    system = file_system(path, given)
    assert system.kind == "retrieval"
    assert system.predict(given.examples) == said


def test_the_predictions_of_a_run_are_a_system(bench, tmp_path: Path):
    given = bench("pragmaticqa/val")
    said = [Prediction(one.id, "x", literal=("x",), pragmatic=("y",)) for one in given.examples]
    path = tmp_path / "predictions.jsonl"
    path.write_text("\n".join(json.dumps(to_record(Timed(one))) for one in said))
    assert file_system(path, given).predict(given.examples) == said


def test_a_run_that_lacks_a_question_is_refused(bench, tmp_path: Path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": "C_holt_1_q#0", "answer": "x"}')
    with pytest.raises(ScoringError, match="3 missing: 'C_holt_1_q#1', 'C_holt_1_q#2'"):
        file_system(path, bench("quac/val"))


def test_another_datasets_predictions_are_named(bench, tmp_path: Path):
    path = tmp_path / "said.json"
    path.write_text('{"s1": "x"}')
    with pytest.raises(ScoringError, match="this looks like SQuAD, not QuAC"):
        file_system(path, bench("quac/val"))


def test_a_dataset_without_official_predictions_asks_for_lines(bench, tmp_path: Path):
    path = tmp_path / "said.json"
    path.write_text('{"s1": "x"}')
    with pytest.raises(ConfigurationError, match="friendsqa has no official format"):
        file_system(path, bench("friendsqa/dev"))
