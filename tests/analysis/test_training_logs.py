import json
from pathlib import Path

import pytest

from seminar.analysis.figures.training import loss_chart, scores_chart
from seminar.analysis.training_logs import best_scores, read_log
from seminar.errors import SeminarError

ENTRIES = [
    {"step": 1, "examples": 8, "seconds": 1.0, "loss": 3.0},
    {"step": 2, "examples": 16, "seconds": 2.0, "loss": 2.0},
    {"step": 2, "examples": 16, "seconds": 3.0, "scores": {"F1": 10.0, "loss": 2.5}},
    {"step": 3, "examples": 24, "seconds": 3600.0, "loss": 1.0},
    {"step": 3, "examples": 24, "seconds": 3600.0, "scores": {"F1": 8.0, "loss": 2.0}},
]


def write(path: Path, end: str = "\n") -> Path:
    path.write_text("\n".join(map(json.dumps, ENTRIES)) + end, encoding="utf-8")
    return path


def test_runs_side_by_side(tmp_path: Path):
    table = best_scores({"one": read_log(write(tmp_path / "log.jsonl"))}).set_index("score")
    assert table.loc["F1", "highest"] == 10
    assert table.loc["F1", "last"] == 8
    assert table.loc["loss", "lowest"] == 2
    assert table["last loss"].tolist() == [1, 1]
    assert table["hours"].tolist() == [1, 1]


def test_curves_have_the_entries_as_data(tmp_path: Path):
    runs = {"one": read_log(write(tmp_path / "log.jsonl"))}
    assert loss_chart(runs).frame["loss"].tolist() == [3, 2, 1]
    scores = scores_chart(runs).frame
    assert scores[scores["score"] == "F1"]["value"].tolist() == [10, 8]


def test_a_last_line_that_was_cut_short_is_left_out(tmp_path: Path):
    log = read_log(write(tmp_path / "log.jsonl", end='\n{"step": 4, "ex'))
    assert len(log) == 5


def test_a_bad_line_in_the_middle_is_an_error(tmp_path: Path):
    file = tmp_path / "log.jsonl"
    file.write_text('{"step": 1, "examples": 1}\nno\n{"step": 2, "examples": 2}\n')
    with pytest.raises(SeminarError, match=r"log\.jsonl:2: not JSON"):
        read_log(file)


def test_a_log_without_entries_has_no_curve():
    assert loss_chart({}).lacks
    assert scores_chart({}).lacks
