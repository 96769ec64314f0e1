import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seminar.models.llm.prompts import data_line, objects


@given(st.text())
def test_a_text_cannot_leave_its_line(text: str):
    line = data_line({"passage": text})
    assert json.loads(line) == {"passage": text}
    assert line.isprintable()
    assert not set("<>[]") & set(line)


def test_half_a_surrogate_pair_can_be_sent():
    line = data_line({"passage": "half \ud800"})
    assert line.encode() == rb'{"passage": "half \ud800"}'


@pytest.mark.parametrize(
    ("output", "quotes"),
    [
        ('{"quote": "a"}', ["a"]),
        ('{"quote": "a"}\n{"quote": "b"}', ["a", "b"]),
        ('```json\n[{"quote": "a"},\n {"quote": "b"}]\n```', ["a", "b"]),
        ('{"answers": [{"quote": "a"}]}', ["a"]),
        ('Here you are: {"quote": "a"} I hope it helps {', ["a"]),
        ('<think>maybe {"quote": "x"}</think>{"quote": "a"}', ["a"]),
        ('maybe {"quote": "x"}</think>{"quote": "a"}', ["a"]),
        ('{"quote": "a"}<think>or {"quote": "x"}</think>', ["a"]),
        ("<think>" + "x" * 100_000 + '</think>{"quote": "a"}', ["a"]),
        ('<think>never ending {"quote": "x"}', []),
        ('{"quote": "a"}\n{"quote": "cut of', ["a"]),
        ('{"other": 1}', []),
        ("The answer is a.", []),
        ("", []),
        ('{"a":' * 4000, []),
    ],
)
def test_objects_are_found_wherever_they_stand(output: str, quotes: list[str]):
    assert [one["quote"] for one in objects(output, "quote")] == quotes


@pytest.mark.parametrize("piece", ["<think>", "</think>", "</think><think>", "<think", "</think"])
def test_marks_of_thought_without_end_are_read_through_once(piece: str):
    assert objects(piece * (1_000_000 // len(piece)), "quote") == []


def test_a_flood_is_cut_off():
    assert len(objects('{"quote": "a"}\n' * 5000, "quote")) == 50
