import json
import sqlite3
from pathlib import Path

import pytest

from seminar.analysis.inputs import dataset_of_run, find_inputs, kind_of
from seminar.datasets.catalog import DATASETS
from seminar.errors import ConfigurationError
from tests.analysis.test_chats import TURNS
from tests.paths import DATASET_FILES

LINES = {
    "chat": TURNS[0],
    "log": {"step": 1, "examples": 8, "seconds": 1.0, "loss": 3.0},
    "arms": {"arms": {"a": True}, "questions": 6},
    "predictions": {"id": "a", "answer": "b", "seconds": 0.1, "megabytes": 60.0},
    "": {"some": "thing"},
}


@pytest.mark.parametrize("kind", LINES)
def test_files_are_recognised_by_their_content(tmp_path: Path, kind: str):
    file = tmp_path / "file.jsonl"
    file.write_text(json.dumps(LINES[kind]) + "\n", encoding="utf-8")
    assert kind_of(file) == kind


def test_a_database_is_recognised(tmp_path: Path):
    sqlite3.connect(tmp_path / "a.db").execute("CREATE TABLE turns (id)").connection.close()
    assert kind_of(tmp_path / "a.db") == "database"


@pytest.mark.parametrize("name", ["quac", "topiocqa", "pragmaticqa", "qaconv", "squad"])
def test_datasets_files_are_recognised(name: str):
    inputs = find_inputs([str(DATASET_FILES / name)])
    assert inputs.of("dataset")
    assert not inputs.of("chat")


def test_a_folder_is_sorted_by_kind(tmp_path: Path):
    run = tmp_path / "runs" / "mine"
    run.mkdir(parents=True)
    (run / "configuration.json").write_text('{"dataset": "quac/val"}')
    (run / "predictions.jsonl").write_text("")
    (tmp_path / "log.jsonl").write_text(json.dumps(LINES["log"]))
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / ".hidden.json").write_text("{}")
    inputs = find_inputs([str(tmp_path)])
    assert inputs.of("run") == (run,)
    assert inputs.of("log") == (tmp_path / "log.jsonl",)
    assert inputs.skipped == (tmp_path / "other.json",)
    assert dataset_of_run(run) == "quac/val"


def test_a_dataset_alone_means_the_splits_of_its_paper():
    assert find_inputs(["qaconv"]).splits == ("qaconv/trn", "qaconv/val", "qaconv/tst")
    assert find_inputs(["quac/val", "quac/val"]).splits == ("quac/val",)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("topiocq", "Did you mean 'topiocqa'"),
        ("quac/vall", "Did you mean 'val'"),
        ("boolq", "name a split, as in boolq/"),
        ("missing.jsonl", "no such file, and no dataset"),
    ],
)
def test_an_unknown_name_is_an_error(name: str, message: str):
    with pytest.raises(ConfigurationError, match=message):
        find_inputs([name])


def test_a_run_without_a_dataset_is_an_error(tmp_path: Path):
    (tmp_path / "configuration.json").write_text("[]")
    with pytest.raises(ConfigurationError, match="names no dataset"):
        dataset_of_run(tmp_path)


def test_every_dataset_can_be_named_with_a_split():
    for name, module in DATASETS.items():
        split = next(iter(module.SPLITS))
        assert find_inputs([f"{name}/{split}"]).splits == (f"{name}/{split}",)
