"""What a study writes is read by `seminar.load_dataset` and scored by the official scorers."""

import json
from pathlib import Path

import pytest

import seminar
from seminar.collection.exports.writing import export
from seminar.collection.records import StudyRecords
from seminar.errors import ConfigurationError
from seminar.metrics.official import pragmaticqa, qaconv, quac, topiocqa
from tests.collection.small_studies import (
    LIFE,
    pragmaticqa_study,
    qaconv_study,
    quac_study,
    topiocqa_study,
)

ALL_DEV = (0, 100, 0)


def write(records: StudyRecords, folder: Path, shares: tuple[int, int, int] = ALL_DEV) -> Path:
    export(records.protocol, records, folder, shares=shares)
    return folder / records.protocol


def test_quac_is_read_again(tmp_path: Path):
    write(quac_study(), tmp_path)
    first, second, third = seminar.load_dataset("quac/val", tmp_path)
    assert first.id == "C_q1_q#0"
    assert (first.title, first.section) == ("Ann Berg", "Life")
    assert first.background == "Ann Berg is a singer."
    assert first.context == f"{LIFE} CANNOTANSWER".replace("\n", " ")
    assert first.gold.answers == (
        "born in Oslo",
        "Oslo",
        "born in Oslo",
        "CANNOTANSWER",
        "CANNOTANSWER",
    )
    for example in (first, second, third):
        for text, (start, end) in zip(example.gold.answers, example.gold.spans, strict=True):
            assert example.context[start:end] == text
    assert second.gold.answers == ("a small red house. She sang",)
    assert (second.gold.affirmation, second.gold.continuation) == ("yes", "maybe")
    assert third.gold.answers == ("CANNOTANSWER",)
    assert (third.gold.answerable, third.gold.continuation) == (False, "don't")
    assert third.history == (
        ("where was she born?", "born in Oslo"),
        ("did she sing?", "a small red house. She sang"),
    )


def test_quac_for_training_has_one_answer(tmp_path: Path):
    write(quac_study(), tmp_path, (100, 0, 0))
    first, *_ = seminar.load_dataset("quac/train", tmp_path)
    assert first.gold.answers == ("born in Oslo",)


def test_quac_is_scored(tmp_path: Path):
    folder = write(quac_study(), tmp_path)
    data = json.loads((folder / "val_v0.2.json").read_text())["data"]
    given = {
        "C_q1_q#0": quac.QuacPrediction("born in Oslo", "x", "y"),
        "C_q1_q#1": quac.QuacPrediction("She sang", "y", "m"),
        "C_q1_q#2": quac.QuacPrediction("CANNOTANSWER", "x", "y"),
    }
    scores = quac.score(data, {"C_q1": given})
    # 1: against "born in oslo", "oslo", "born in oslo" leave-one-out 1; 2: "she sang" of
    # "small red house she sang": precision 1, recall 2/5, F1 4/7; 3: right
    assert scores.f1 == pytest.approx(100 * (1 + 4 / 7 + 1) / 3)
    assert scores.yesno == pytest.approx(100)
    assert scores.followup == pytest.approx(200 / 3)
    assert scores.unanswerable == 1


def test_topiocqa_is_read_again_and_scored(tmp_path: Path):
    folder = write(topiocqa_study(), tmp_path)
    examples = list(seminar.load_dataset("topiocqa/dev", tmp_path))
    assert [one.id for one in examples] == ["1_1", "1_2", "1_3", "1_4"]
    assert [one.gold.topic for one in examples] == ["Ann Berg", "Ann Berg", "Oslo", ""]
    assert [one.gold.section for one in examples] == ["Introduction", "Life", "Introduction", ""]
    assert examples[2].gold.answers == ("By the sea", "At the sea")
    assert examples[2].history == (("who is ann berg?", "A singer"), ("is she from oslo?", "Yes"))
    assert not examples[3].gold.answerable
    assert examples[1].gold.evidence[0].title == "Ann Berg [SEP] Life"
    turns = json.loads((folder / "topiocqa_dev.json").read_text())
    assert [turn["is_nq"] for turn in turns] == [True, False, False, False]
    given = ("a singer", "No", "at the sea", "UNANSWERABLE")
    results = [
        {"conv_id": 1, "turn_id": turn, "predictions": [text]}
        for turn, text in enumerate(given, start=1)
    ]
    scores = topiocqa.score_reader(turns, results, strict=True)
    # 1, 0, and for two references the mean over leaving one out: EM 0.5, F1 (0.5 + 1) / 2; 1
    assert scores == {"em": 62.5, "f1": 68.8, "turns": 4}


def test_pragmaticqa_is_read_again_and_scored(tmp_path: Path):
    write(pragmaticqa_study(), tmp_path)
    first, second = seminar.load_dataset("pragmaticqa/val", tmp_path)
    assert (first.title, first.domain, first.sources) == ("Ann Berg", "Music", ("Singers",))
    assert [one.text for one in first.gold.literal] == ["born in Oslo"]
    assert first.gold.literal[0].elements == ("ann.html-k1", "ann.html-k2")
    assert [one.text for one in first.gold.pragmatic] == ["a town by the sea"]
    assert first.gold.answers == ("In Oslo, at sea.",)
    assert first.gold.ratings == (5, 4, 3, 2, 1)  # there 1 is best
    assert (second.gold.affirmation, second.gold.ratings) == ("yes", ())
    gold = [
        pragmaticqa.Spans(
            [one.text for one in example.gold.literal],
            [one.text for one in example.gold.pragmatic],
        )
        for example in (first, second)
    ]
    predicted = [pragmaticqa.Spans(["born"], ["the sea"]), pragmaticqa.Spans(["Yes"], [])]
    scores = pragmaticqa.score(zip(predicted, gold, strict=True))
    # literal: "born" of "born in oslo" 2·1·(1/3)/(4/3) = 0.5, and 1
    assert scores.literal == pytest.approx(75)
    # pragmatic, articles left out: "sea" of "town by sea" 0.5, and nothing of nothing 0
    assert scores.pragmatic == pytest.approx(25)


def test_qaconv_is_read_again_and_scored(tmp_path: Path):
    folder = write(qaconv_study(), tmp_path)
    first, second, third = seminar.load_dataset("qaconv/val-chunk", tmp_path)
    assert [one.id for one in (first, second, third)] == ["val-0", "val-1", "val-2"]
    assert first.context == (
        "RASK: The late boat was asked for on 14 April.\nCHAIR: The city pays for it."
    )
    assert (first.gold.answers, second.gold.answers) == (("14 April",), ("CHAIR",))
    assert not third.gold.answerable
    whole = next(iter(seminar.load_dataset("qaconv/val-full", tmp_path)))
    assert whole.context == f"{first.context}\n{first.context}"
    questions = json.loads((folder / "val.json").read_text())
    assert [one["QG"] for one in questions] == [False, True, False]
    segments = json.loads((folder / "article_segment.json").read_text())
    assert [message["id"] for message in segments["c2"]["seg_dialog"]] == ["forum-2", "forum-3"]
    predictions = {"val-0": "14 April", "val-1": "RASK", "val-2": "unanswerable"}
    scores = [
        qaconv.score_answer(predictions[one["id"]], qaconv.gold_answers(one["answers"]))
        for one in questions
    ]
    assert [score.exact for score in scores] == [1, 0, 1]


def test_a_datasheet_stands_beside_the_files(tmp_path: Path):
    folder = write(qaconv_study(), tmp_path)
    assert "| questions | 3 |" in (folder / "README.md").read_text()


def test_the_same_study_gives_the_same_files(tmp_path: Path):
    first, second = (write(quac_study(), tmp_path / name) for name in "ab")
    for file in first.iterdir():
        assert file.read_bytes() == (second / file.name).read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [("squad", "unknown form 'squad'"), ("topiocqa", "'Singers' collects quac")],
)
def test_a_study_has_one_form(name: str, message: str, tmp_path: Path):
    with pytest.raises(ConfigurationError, match=message):
        export(name, quac_study(), tmp_path)
