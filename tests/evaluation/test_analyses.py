"""From inputs to a written report: datasets, predictions, conversations and logs together."""

import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import load
from seminar.errors import ConfigurationError, ScoringError
from seminar.evaluation.analyses import analyse
from seminar.evaluation.outcomes import read_outcomes
from tests.analysis.test_chats import TURNS
from tests.paths import DATASET_FILES

EXAMPLES = list(load("quac/val", DATASET_FILES))


def predictions(path: Path, **fields: object) -> Path:
    lines = [{"id": one.id, "answer": one.gold.answers[0], **fields} for one in EXAMPLES]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_outcomes_have_the_official_score(tmp_path: Path):
    file = predictions(tmp_path / "mine.jsonl", seconds=0.5, megabytes=60.0, score=0.75)
    scored = read_outcomes(file, "quac/val", EXAMPLES)
    outcomes = scored.outcomes
    assert scored.measure == "F1"
    # Its F1 with each of the two references, the other held out: 1 and 4/9.
    assert outcomes[0].score == pytest.approx((1 + 4 / 9) / 2)
    assert {one.confidence for one in outcomes} == {0.75}
    assert {one.seconds for one in outcomes} == {0.5}


def test_outcomes_of_an_official_file(tmp_path: Path):
    file = tmp_path / "official.json"
    lines = [
        {"qid": [one.id], "best_span_str": [one.gold.answers[0]], "yesno": ["x"], "followup": ["m"]}
        for one in EXAMPLES
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    outcomes = read_outcomes(file, "quac/val", EXAMPLES).outcomes
    assert outcomes[0].score == pytest.approx((1 + 4 / 9) / 2)


def test_a_part_of_a_split_may_be_predicted(tmp_path: Path):
    file = predictions(tmp_path / "mine.jsonl")
    file.write_text(file.read_text().splitlines()[0] + "\n")
    assert len(read_outcomes(file, "quac/val", EXAMPLES).outcomes) == 1


def test_predictions_of_another_dataset_are_an_error(tmp_path: Path):
    file = tmp_path / "mine.jsonl"
    file.write_text('{"id": "other", "answer": "a"}\n')
    with pytest.raises(ScoringError, match="none of its 1 predictions is for a question of quac"):
        read_outcomes(file, "quac/val", EXAMPLES)


def test_everything_in_one_report(tmp_path: Path):
    mine = predictions(tmp_path / "mine.jsonl", seconds=0.5, megabytes=60.0)
    other = predictions(tmp_path / "other.jsonl", seconds=0.1, megabytes=50.0)
    chat = tmp_path / "chat.jsonl"
    chat.write_text("\n".join(map(json.dumps, TURNS)), encoding="utf-8")
    run = tmp_path / "run"
    run.mkdir()
    (run / "log.jsonl").write_text('{"step": 1, "examples": 8, "seconds": 1.0, "loss": 3.0}\n')
    arms = tmp_path / "arms.jsonl"
    arms.write_text('{"arms": {"topic selection": true}, "questions": 6}\n')
    steps: list[str] = []
    analysis = analyse(
        ["quac/val", *map(str, (mine, other, chat, run, arms))],
        tmp_path / "report",
        root=DATASET_FILES,
        watch=lambda step, done, total: steps.append(step),
    )
    assert [section.title for section in analysis.sections] == [
        "Dataset: quac", "Systems on quac/val: F1", "Your conversations", "Collection: arms.jsonl",
        "Training runs",
    ]  # fmt: skip
    assert list(dict.fromkeys(steps)) == [
        "reading quac/val", "drawing quac", "scoring quac/val", "comparing systems on quac/val",
        "conversations", "writing",
    ]  # fmt: skip
    record = json.loads(json.dumps(analysis.as_record()))
    systems = record["sections"][1]["exhibits"][0]
    assert [row["system"] for row in systems["rows"]] == ["mine", "other"]
    assert (tmp_path / "report" / "paired-bootstrap.csv").is_file()


def test_a_file_of_a_dataset_anywhere(tmp_path: Path):
    file = tmp_path / "mine.json"
    file.write_bytes((DATASET_FILES / "quac" / "val_v0.2.json").read_bytes())
    [section] = analyse([str(file)], tmp_path / "report").sections
    assert section.title == "Dataset: quac (mine.json)"


def test_official_files_in_the_folder_of_their_dataset_are_its_splits(tmp_path: Path):
    [section] = analyse([str(DATASET_FILES / "quac")], tmp_path / "report").sections
    assert section.title == "Dataset: quac"
    [counts] = [one.frame for one in section.exhibits if one.name == "quac-table-2"]
    assert counts.iloc[0].to_dict() == {
        "statistic": "questions", "val-part": 4, "val": 4, "all": 8,
    }  # fmt: skip


def test_files_of_a_folder_that_only_look_like_a_dataset_are_named(tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "other.json").write_text('[{"question": 3, "answer": ["a"]}]')
    (folder / "chat.jsonl").write_text(json.dumps(TURNS[0]))
    analysis = analyse([str(folder)], tmp_path / "report")
    assert analysis.skipped == (folder / "other.json",)


def test_a_folder_without_anything_to_analyse_is_an_error(tmp_path: Path):
    (tmp_path / "in").mkdir()
    with pytest.raises(ConfigurationError, match="nothing to analyse in"):
        analyse([str(tmp_path / "in")], tmp_path / "report")
    assert not (tmp_path / "report").exists()


def test_predictions_need_their_split(tmp_path: Path):
    file = predictions(tmp_path / "mine.jsonl")
    with pytest.raises(ConfigurationError, match="name the one split that it answers"):
        analyse([str(file)], tmp_path / "report")
