"""Scores of a run equal those of the official scorer on the official files."""

import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import load
from seminar.evaluation.prediction_files import official_text
from seminar.evaluation.predictions import Prediction, Ranked
from seminar.evaluation.score_files import score_files
from seminar.evaluation.scoring import score
from seminar.evaluation.suites.catalog import find_task

# Split, its file, the scorer, and which of its scores each column is.
CASES = {
    "quac/val": (
        "val_v0.2.json",
        "quac",
        {"F1": "f1", "HEQ-Q": "heq", "HEQ-D": "dheq", "F1 all": "unfiltered_f1"},
    ),
    "squad/dev-v2": ("dev-v2.0.json", "squad-v2", {"EM": "exact", "F1": "f1"}),
    "squad/train": ("train-v1.1.json", "squad-v1", {"EM": "exact_match", "F1": "f1"}),
    "qaconv/val": (
        "val.json",
        "qaconv",
        {"EM": "exact", "F1": "f1", "FZ-R": "fzr", "EM answerable": "HasAns_exact"},
    ),
    "ambigqa/train": ("train_light.json", "ambigqa", {"F1": "f1", "F1 multi": "f1_multiple"}),
    "pragmaticqa/val": (
        "val.jsonl",
        "pragmaticqa",
        {"F1-lit": "f1_literal", "F1-prag": "f1_pragmatic"},
    ),
    "nq_open/dev": ("NQ-open.dev.jsonl", "nq-open", {"EM": "accuracy"}),
}
ROUNDED = {
    "coqa/dev": ("coqa-dev-v1.0.json", "coqa", {"EM": "overall em", "F1": "overall f1"}),
    "topiocqa/dev": ("topiocqa_dev.json", "topiocqa-reader", {"EM": "em", "F1": "f1"}),
}
OUT_OF_ONE = {"ambigqa", "nq-open"}


def half_right(name: str, files: Path) -> tuple[list, list[Prediction]]:
    """A system that answers every other question with its first reference, others with a guess."""
    examples = list(load(name, files))
    predictions = []
    for number, example in enumerate(examples):
        gold = example.gold
        right = gold.answers[0] if gold.answers else find_task(name).no_answer
        answer = right if number % 2 == 0 else "a guess in 1871"
        spans = tuple(span.text for span in gold.literal[:1])
        predictions.append(
            Prediction(
                example.id,
                answer,
                yesno="y",
                followup="m",
                answers=(answer,),
                literal=spans,
                pragmatic=(answer,) if gold.literal else (),
            )
        )
    return examples, predictions


@pytest.mark.parametrize("name", [*CASES, *ROUNDED])
def test_a_run_scores_what_the_official_scorer_scores(name: str, files: Path, tmp_path: Path):
    file, scorer, columns = (CASES | ROUNDED)[name]
    examples, predictions = half_right(name, files)
    scores = score(find_task(name), examples, predictions)
    written = tmp_path / "predictions.json"
    written.write_text(official_text(scorer, examples, predictions))
    official = score_files(scorer, files / name.partition("/")[0] / file, written)
    for column, key in columns.items():
        expected = official[key] * (100 if scorer in OUT_OF_ONE else 1)
        tolerance = 0.05 + 1e-9 if name in ROUNDED else 1e-9
        assert scores[column].mean == pytest.approx(expected, abs=tolerance), column


def test_recall_of_the_gold_segment_is_the_official_one(files: Path, tmp_path: Path):
    examples = list(load("qaconv/val", files))
    predictions = [
        Prediction("val-0", ranking=(Ranked("openslack-9", 2.0), Ranked("bc3-1", 1.0))),
        Prediction("val-1", ranking=(Ranked("openslack-9", 1.0), Ranked("bc3-1", 0.0))),
        Prediction("val-2", ranking=(Ranked("bc3-1", 1.0),)),
    ]
    written = tmp_path / "rankings.json"
    written.write_text(official_text("qaconv-recall", examples, predictions))
    official = score_files("qaconv-recall", files / "qaconv" / "val.json", written)
    scores = score(find_task("qaconv/val", "retrieval"), examples, predictions)
    assert scores["R@1"].mean == pytest.approx(official["fair Recall@1"]) == pytest.approx(2 / 3)
    assert scores["R@3"].mean == official["fair Recall@3"] == 1.0


def test_dialog_acts_count_only_where_both_sides_give_them(files: Path):
    examples = list(load("quac/val", files))
    silent = [Prediction(example.id, example.gold.answers[0]) for example in examples]
    assert "yes/no" not in score(find_task("quac/val"), examples, silent)
    part = list(load("quac/val-part", files))
    acting = [Prediction(one.id, "x", yesno="y", followup="m") for one in part]
    assert "follow-up" not in score(find_task("quac/val-part"), part, acting)


def test_people_bring_their_own_measures(files: Path):
    examples = list(load("topiocqa/dev", files))[:2]
    people = [Prediction(one.id, measures=(("EM", 0.5), ("F1", 1.0))) for one in examples]
    scores = score(find_task("topiocqa/dev"), examples, people)
    assert (scores["EM"].mean, scores["F1"].mean) == (50.0, 100.0)


def test_the_interval_holds_the_mean_and_repeats(files: Path):
    examples, predictions = half_right("quac/val", files)
    first = score(find_task("quac/val"), examples, predictions, seed=3)
    again = score(find_task("quac/val"), examples, predictions, seed=3)
    assert first == again
    assert first["F1"].low <= first["F1"].mean <= first["F1"].high


def test_quac_lines_have_a_line_for_each_dialog(files: Path):
    examples, predictions = half_right("quac/val", files)
    lines = official_text("quac", examples, predictions).splitlines()
    assert [len(json.loads(line)["qid"]) for line in lines] == [3, 1]
