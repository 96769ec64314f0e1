import json
from pathlib import Path

import pytest

from seminar.errors import ScoringError
from seminar.evaluation.score_files import score_files

LINE = {
    "qid": ["C_holt_1_q#0", "C_holt_1_q#1", "C_holt_1_q#2"],
    "best_span_str": ["the Lindmere lighthouse", "whale oil", "CANNOTANSWER"],
    "yesno": ["x", "y", "x"],
    "followup": ["y", "m", "n"],
}
LAST = {"qid": ["C_vale_1_q#0"], "best_span_str": ["x"], "yesno": ["x"], "followup": ["y"]}
SQUAD = {"s1": "x", "s2": "", "s3": "y"}


@pytest.fixture
def written(tmp_path: Path):
    def write(*values: object) -> Path:
        path = tmp_path / "answers.json"
        path.write_text("\n".join(json.dumps(value) for value in values))
        return path

    return write


def refused(scorer: str, references: Path, predictions: Path) -> str:
    with pytest.raises(ScoringError) as message:
        score_files(scorer, references, predictions)
    return str(message.value)


def test_complete_predictions_are_scored(files: Path, written):
    table = score_files("quac", files / "quac/val_v0.2.json", written(LINE, LAST))
    assert (table["unfiltered"], table["dheq_total"]) == (4, 2)


def test_missing_ids_are_named(files: Path, written):
    message = refused("quac", files / "quac/val_v0.2.json", written(LINE))
    assert message == "answers.json: 1 missing: 'C_vale_1_q#0'"


def test_only_the_first_five_offenders_are_named(files: Path, written):
    extra = {f"e{n}": "x" for n in range(7)}
    message = refused("squad-v2", files / "squad/dev-v2.0.json", written(SQUAD | extra))
    assert message == "answers.json: 7 extra: 'e0', 'e1', 'e2', 'e3', 'e4' and 2 more"


def test_a_question_answered_twice_is_named(files: Path, written):
    message = refused("quac", files / "quac/val_v0.2.json", written(LINE, LAST, LAST))
    assert message == "answers.json: 1 duplicate: 'C_vale_1_q#0'"


def test_a_key_that_comes_twice_is_named(files: Path, tmp_path: Path):
    path = tmp_path / "answers.json"
    path.write_text('{"s1": "a", "s2": "b", "s3": "c", "s1": "d"}')
    assert (
        refused("squad-v2", files / "squad/dev-v2.0.json", path)
        == "answers.json: 1 duplicate: 's1'"
    )


@pytest.mark.parametrize("value", [{}, []])
def test_no_predictions_are_no_predictions(value: object, files: Path, written):
    message = refused("quac", files / "quac/val_v0.2.json", written(value))
    assert message == "answers.json: no predictions"


def test_wrong_types_are_named(files: Path, written):
    message = refused("squad-v2", files / "squad/dev-v2.0.json", written(SQUAD | {"s2": 3}))
    assert message.startswith(
        "answers.json: 1 of the wrong type (expected the text of an answer): 's2'"
    )


def test_lists_of_unlike_length_are_refused(files: Path, written):
    message = refused("quac", files / "quac/val_v0.2.json", written(LINE | {"yesno": ["x"]}, LAST))
    assert "line 1: its lists are of unlike length (3 qid, 3 best_span_str, 1 yesno" in message


@pytest.mark.parametrize(
    ("scorer", "file", "message"),
    [
        ("quac", "squad/dev-v2.0.json", "dev-v2.0.json: this looks like SQuAD, not QuAC"),
        ("squad-v1", "quac/val_v0.2.json", "val_v0.2.json: this looks like QuAC, not SQuAD"),
        ("qaconv", "topiocqa/topiocqa_dev.json", "this looks like TopiOCQA, not QAConv"),
        ("ambigqa", "qaconv/val.json", "val.json: this looks like QAConv, not AmbigQA"),
        ("coqa", "pragmaticqa/val.jsonl", "val.jsonl: this looks like PragmatiCQA, not CoQA"),
    ],
)
def test_references_of_another_dataset_are_named(
    scorer: str, file: str, message: str, files: Path, written
):
    assert message in refused(scorer, files / file, written(SQUAD))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (SQUAD, "this looks like SQuAD, not QuAC"),
        ([{"id": "s", "turn_id": 1, "answer": "x"}], "this looks like CoQA, not QuAC"),
        ({"q": ["x", "y"]}, "this looks like AmbigQA, not QuAC"),
        (
            [{"conv_id": 1, "turn_id": 1, "predictions": ["x"]}],
            "this looks like TopiOCQA, not QuAC",
        ),
    ],
)
def test_predictions_in_another_format_are_named(value: object, message: str, files: Path, written):
    assert message in refused("quac", files / "quac/val_v0.2.json", written(value))


def test_strict_counts_a_missing_answer_as_the_official_program_does(files: Path, written):
    table = score_files("quac", files / "quac/val_v0.2.json", written(LINE), strict=True)
    assert table["unfiltered"] == 4


def test_strict_says_with_what_the_official_program_stops(files: Path, written):
    with pytest.raises(ScoringError, match="the official program stops here with KeyError"):
        score_files("squad-v2", files / "squad/dev-v2.0.json", written({"s1": "x"}), strict=True)


def test_a_run_and_judgements_of_trec(tmp_path: Path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    run.write_text("q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.5 mine\n")
    assert score_files("trec", qrels, run)["RR"] == 0.5
    run.write_text("q1 d2\n")
    assert "run:1: expected 6 columns of a TREC file, found 2: 'q1 d2'" in refused(
        "trec", qrels, run
    )
    run.write_text("q9 Q0 d2 1 9.5 mine\n")
    assert refused("trec", qrels, run) == "run: no prediction for any of the 1 questions"


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1" * 400])
def test_a_ranking_by_no_number_is_refused(value: str, files: Path, tmp_path: Path):
    path = tmp_path / "answers.json"
    path.write_text(f'{{"q1": {{"bc3-1": {value}}}}}')
    message = refused("qaconv-recall", files / "qaconv/val.json", path)
    assert message == "answers.json: 1 of the wrong type (expected finite numbers by segment): 'q1'"


def test_a_run_in_another_format_is_named(tmp_path: Path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text('{"q1": "x"}')
    assert refused("trec", qrels, run) == (
        "run: expected finite numbers by document by query; this looks like SQuAD, not TREC"
    )


def test_rewrites_go_by_position(tmp_path: Path):
    wanted, predictions = tmp_path / "wanted.json", tmp_path / "answers.json"
    wanted.write_text('["who won it", "when"]')
    predictions.write_text('["who won it"]')
    assert refused("qrecc-rewrites", wanted, predictions) == "answers.json: 1 missing: '2'"
