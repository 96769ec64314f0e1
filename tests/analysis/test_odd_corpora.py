"""Corpora without what a figure shows: a sentence says what they lack."""

from dataclasses import replace
from pathlib import Path

import pytest

from seminar.analysis import sections
from seminar.analysis.chats import chat_turns
from seminar.analysis.exhibits import Section
from seminar.analysis.frames import turns
from seminar.analysis.outcomes import Outcome
from seminar.analysis.report.writing import write_report
from seminar.examples import Example, Gold
from tests.analysis.corpus import EXAMPLES, FRAME

ONE = Example("x", "x", "Who?", Gold(("Ada",)))
ODD = {
    "empty": [],
    "one turn": [ONE],
    "no words": [replace(ONE, question="???")],
    "no answers": [replace(ONE, id=str(n), gold=Gold((), answerable=False)) for n in range(3)],
    "no topics": [replace(one, gold=replace(one.gold, topic="")) for one in EXAMPLES],
    "other scripts": [replace(ONE, question="東京の塔は $x_1$ いつ?", gold=Gold(("١٩٧١",)))],
    "answer not in the context": [replace(ONE, context="Nothing here.")],
    "empty context": [replace(ONE, context="CANNOTANSWER")],
    "broken text": [replace(ONE, question="Who\ud800 \x00?", gold=Gold(("\udfff\x1b[31m",)))],
    "a turn twice": [EXAMPLES[0], EXAMPLES[0]],
}


def sound(section: Section) -> None:
    for one in section.exhibits:
        assert bool(one.lacks) == one.frame.empty, one.name
        assert not one.lacks or one.lacks.endswith("."), one.name


@pytest.mark.parametrize("name", ODD)
def test_every_exhibit_has_data_or_a_sentence(name: str):
    sound(sections.dataset_section("quac", turns(ODD[name], split="val")))


@pytest.mark.parametrize("name", ODD)
def test_systems_on_odd_corpora(name: str):
    given = [Outcome(one.id, "", 0.0) for one in ODD[name]]
    section = sections.systems_section("x", turns(ODD[name]), ODD[name], {"a": given, "b": given})
    sound(section)


def test_predictions_of_other_questions():
    section = sections.systems_section("x", FRAME, EXAMPLES, {"a": [Outcome("other", "", 0.0)]})
    assert section.text == "No prediction is for a question of this split."


@pytest.mark.parametrize("saved", [[], [{"question": "Who?"}], [{"question": "", "reply": None}]])
def test_conversations_with_little_in_them(saved: list[dict[str, object]]):
    sound(sections.chats_section(chat_turns([("one", saved)])))


def test_broken_text_and_numbers_are_written(tmp_path: Path):
    turn = {
        "question": "Who\ud800\x00?",
        "seconds": float("inf"),
        "score": float("nan"),
        "answerable": True,
        "literal": [{"source": "a\ud800$x_1$.md"}],
        "text": "\udfff",
    }
    odd = [
        sections.dataset_section("x", turns(ODD["broken text"])),
        sections.chats_section(chat_turns([("a\udfff", [turn])])),
    ]
    write_report("\ud800", odd, tmp_path / "report")
    assert "\ufffd" not in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_training_runs_without_entries():
    assert sections.training_section({}).text == "The logs have no entries."
