import json

import pytest

from seminar.datasets.records import Record
from seminar.errors import DatasetError
from seminar.evaluation.predictions import Prediction, Ranked, Timed, from_record, to_record


def test_a_line_gives_back_what_was_written():
    timed = Timed(
        Prediction(
            "q",
            "x",
            yesno="y",
            followup="m",
            answers=("x", "z"),
            literal=("x",),
            pragmatic=("and z",),
            ranking=(Ranked("p", 1.5, "Title", "Text"),),
            measures=(("F1", 0.5),),
            notes=("the embedded reader took its place",),
        ),
        seconds=0.25,
        megabytes=100.0,
    )
    line = json.dumps(to_record(timed))
    assert from_record(Record(json.loads(line), "predictions.jsonl:1")) == timed


def test_what_is_empty_is_left_out():
    assert to_record(Timed(Prediction("q"))) == {"id": "q", "answer": ""}


def test_a_wrong_type_is_named_with_its_place():
    with pytest.raises(DatasetError, match=r"predictions.jsonl:3: answer: expected text, found 7"):
        from_record(Record({"id": "q", "answer": 7}, "predictions.jsonl:3"))
