from pathlib import Path

import pytest

from seminar.errors import ScoringError
from seminar.evaluation.trec_files import read_judgements, read_run

READERS = {"qrels": read_judgements, "run": read_run}


def test_columns_and_json_say_the_same(tmp_path: Path):
    columns, as_json = tmp_path / "run", tmp_path / "run.json"
    columns.write_text("q1 Q0 d2 1 9.5 mine\n\nq1 Q0 d1 2 -8 mine\n")
    as_json.write_text('{"q1": {"d2": 9.5, "d1": -8}}')
    assert read_run(columns) == read_run(as_json) == {"q1": {"d2": 9.5, "d1": -8.0}}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run", "\n", "run: the file is empty"),
        ("run", "q1 d2", "run:1: expected 6 columns of a TREC file, found 2: 'q1 d2'"),
        (
            "run",
            "q1 Q0 d1 1 nan mine",
            "run:1: expected a finite number in column 5 of a TREC file, found 'nan'",
        ),
        (
            "qrels",
            "q1 0 d1 1\nq1 0 d2 much",
            "qrels:2: expected a whole number in column 4 of a TREC file, found 'much'",
        ),
        (
            "run",
            "q1 Q0 d1 1 9 mine\nq2 Q0 d1 1 9 mine\nq1 Q0 d1 2 8 mine",
            "run:3: 'd1' comes twice for 'q1': keep one line of it",
        ),
        ("qrels", "q1 0 d1 1\nq1 0 d1 0", "qrels:2: 'd1' comes twice for 'q1'"),
        ("run", '{"q1": {"d1": NaN}}', "run: expected finite numbers by document by query"),
        ("run", '{"q1": {"d1": 2, "d1": 1}}', "run: 1 duplicate: 'd1'"),
    ],
)
def test_what_cannot_be_ranked_is_named(name: str, content: str, message: str, tmp_path: Path):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ScoringError) as error:
        READERS[name](path)
    assert message in str(error.value)
