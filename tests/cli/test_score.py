import json
from pathlib import Path

import pytest

from tests.paths import DATASET_FILES

REFERENCES = DATASET_FILES / "squad" / "dev-v2.0.json"


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    path = tmp_path / "predictions.json"
    path.write_text('{"s1": "", "s2": "", "s3": ""}')
    return path


def test_scores_are_printed_one_a_line(seminar, predictions: Path):
    ended = seminar("score", "squad-v2", "--references", REFERENCES, "--predictions", predictions)
    assert ended.code == 0
    assert ended.out.splitlines()[0].split() == ["exact", "33.3333"]
    assert ["total", "3"] in [line.split() for line in ended.out.splitlines()]


def test_json_prints_one_object(seminar, predictions: Path):
    ended = seminar(
        "score", "squad-v2", "--references", REFERENCES, "--predictions", predictions, "--json"
    )
    assert json.loads(ended.out)["NoAns_exact"] == 100.0


def test_average_over_nothing_is_null(seminar, tmp_path: Path):
    predictions = tmp_path / "predictions.json"
    references = tmp_path / "dev.json"
    annotation = {"type": "singleAnswer", "answer": ["x"]}
    references.write_text(json.dumps([{"id": "q", "question": "who", "annotations": [annotation]}]))
    predictions.write_text('{"q": ["x"]}')
    ended = seminar(
        "score", "ambigqa", "--references", references, "--predictions", predictions, "--json"
    )
    assert json.loads(ended.out) == {"f1": 1.0, "f1_multiple": None}


@pytest.mark.parametrize(
    ("scorer", "content", "message"),
    [
        ("squad-v2", "", "predictions.json: the file is empty"),
        ("squad-v2", "{}", "predictions.json: no predictions"),
        ("squad-v2", '{"s1": ""', "predictions.json: not JSON at line 1, column 10"),
        ("squad-v2", '{"s1": ""}', "2 missing: 's2', 's3'"),
        ("squad-v2", '{"s1": "", "s1": "", "s2": "", "s3": ""}', "1 duplicate: 's1'"),
        ("squad-v2", '{"s1": "", "s2": "", "s3": "", "s4": ""}', "1 extra: 's4'"),
        ("squad-v2", '{"s1": 1, "s2": "", "s3": ""}', "1 of the wrong type"),
        (
            "squad-v2",
            f'{{"s1": {"1" * 5000}}}',
            "predictions.json: a whole number there has more digits",
        ),
        ("squad-v2", '[{"id": "s1", "turn_id": 1, "answer": "x"}]', "looks like CoQA, not SQuAD"),
        ("quac", "{}", "dev-v2.0.json: this looks like SQuAD, not QuAC"),
        ("squad2", "{}", "unknown scorer 'squad2'. Did you mean 'squad-v2'?"),
    ],
)
def test_wrong_input_prints_one_line_and_exits_with_2(
    seminar, tmp_path: Path, scorer: str, content: str, message: str
):
    predictions = tmp_path / "predictions.json"
    predictions.write_text(content)
    ended = seminar("score", scorer, "--references", REFERENCES, "--predictions", predictions)
    assert ended.code == 2
    assert ended.out == ""
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_missing_file_is_named(seminar, tmp_path: Path, predictions: Path):
    gone = tmp_path / "gone.json"
    for references, file in ((gone, predictions), (REFERENCES, gone)):
        ended = seminar("score", "squad-v2", "--references", references, "--predictions", file)
        assert ended.code == 2
        assert "gone.json: can't be opened" in ended.err


def test_strict_fails_with_the_official_exception(seminar, tmp_path: Path):
    predictions = tmp_path / "predictions.json"
    predictions.write_text('{"s1": ""}')
    ended = seminar(
        "score", "squad-v2", "--references", REFERENCES, "--predictions", predictions, "--strict"
    )
    assert ended.code == 2
    assert "the official program stops here with KeyError" in ended.err
