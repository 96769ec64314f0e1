"""Completions kept by benchmarks: a run that was stopped goes on, and costs are counted once."""

from pathlib import Path

import pytest

from benchmarks.kept_completions import Kept, OutOfTimeError
from seminar.models.llm.chat import Message
from seminar.models.llm.endpoint import open_endpoint
from tests.completions import serving, streamed


def test_a_kept_completion_is_not_asked_for_again(tmp_path: Path):
    kept = tmp_path / "kept.jsonl"
    with serving(lambda prompt, _: streamed("It is ", prompt)) as (url, received):
        endpoint = open_endpoint(url, "scripted", seconds=10, tokens=50)
        first = Kept(endpoint, kept)
        made = [first.chat([Message("user", word)], lambda _: None) for word in ("red", "blue")]
        again = Kept(endpoint, kept, deadline=0)
        told = [again.chat([Message("user", word)], lambda _: None) for word in ("red", "blue")]
        with pytest.raises(OutOfTimeError, match="2 completions are kept"):
            again.chat([Message("user", "green")], lambda _: None)
    assert made == told
    assert [one.text for one in told] == ["It is red", "It is blue"]
    assert len(received.prompts) == 2
    assert again.uses.spent == 0
    assert again.uses.seconds == pytest.approx(first.uses.seconds)
    assert again.uses.first >= again.uses.records[0]["seconds"]


def test_another_shape_is_another_completion(tmp_path: Path):
    with serving(lambda _, before: streamed(str(before))) as (url, _):
        model = Kept(open_endpoint(url, "scripted", seconds=10, tokens=50), tmp_path / "kept.jsonl")
        asked = [Message("user", "red")]
        plain = model.chat(asked, lambda _: None)
        shaped = model.shaped({"type": "object"}).chat(asked, lambda _: None)
    assert (plain.text, shaped.text) == ("0", "1")
    assert len(model.uses.records) == 2
