from dataclasses import replace

import numpy as np
import pytest

from seminar.examples import Example, Gold
from seminar.reading.span_reader import FEATURES, Candidate
from seminar.training.fitting.calibration import Probe, amid, begun, calibration_error, is_right
from seminar.training.fitting.sentence_reader import Trial, calibrated
from seminar.types import Passage, Span

TEXT = "The ferry was built in 1911 by Edda Thornquist."
OWN = Passage("1", 0, len(TEXT), TEXT, title="The ferry")
OTHER = Passage("2", 0, len(TEXT), TEXT, title="Another ferry")


def candidate(words: str, passage: Passage = OWN, affirmation="neither") -> Candidate:
    start = passage.text.index(words)
    return Candidate(Span(passage, start, start + len(words)), affirmation, ())


def probe(gold: Gold, **more) -> Probe:
    return Probe("here", Example("1", "1", "Who built it?", gold, title="The_ferry", **more))


def test_half_of_the_words_of_the_right_article_are_right():
    built = probe(Gold(("Edda Thornquist",), spans=((31, 46),)))
    assert is_right(candidate("Edda Thornquist"), built)
    assert is_right(candidate("Thornquist"), built)  # F1 of 2/3
    assert not is_right(candidate("1911"), built)
    assert not is_right(candidate("Edda Thornquist", OTHER), built)


def test_yes_and_no_are_right_by_what_they_affirm():
    asked = probe(Gold(affirmation="yes"))
    assert is_right(candidate("built", affirmation="yes"), asked)
    assert not is_right(candidate("built", affirmation="no"), asked)
    assert not is_right(candidate("built"), asked)


def test_a_dialog_opens_with_what_it_is_about():
    asked = probe(Gold(), history=(("Why?", "CANNOTANSWER"),), context=TEXT)
    opened = replace(asked, example=begun(asked.example)).dialogue
    assert [(turn.question, turn.reply.text) for turn in opened.turns] == [
        ("What is The ferry?", TEXT),
        ("Why?", "CANNOTANSWER"),
    ]
    assert [turn.reply.answerable for turn in opened.turns] == [True, False]


def test_a_text_without_a_title_is_told_by_its_words():
    asked = Probe("here", Example("1", "1", "Who built it?", Gold(), context=TEXT))
    assert asked.is_about(OWN)
    assert not asked.is_about(replace(OWN, text="Another text."))


def test_a_question_may_change_the_subject_of_a_dialog():
    dialog = Example("2", "2", "And then?", Gold(), history=(("Why?", "Rain."),), title="Rain")
    changed = amid(dialog, probe(Gold()).example)
    assert (changed.question, changed.title) == ("Who built it?", "The_ferry")
    assert changed.history == (("Why?", "Rain."),)


def test_probabilities_that_hold_have_no_calibration_error():
    weights = np.array([0.0, 1.0])
    sure, unsure = np.array([[1.0, 50.0]]), np.array([[1.0, 0.0]])
    right, wrong = np.array([True]), np.array([False])
    honest = [
        Trial("here", sure, right),
        Trial("here", unsure, right),
        Trial("here", unsure, wrong),
    ]
    assert calibration_error(honest, weights) == 0.0
    assert calibration_error([Trial("here", sure, wrong)], weights) == 100.0
    assert calibration_error([Trial("here", unsure, wrong)], weights) == 50.0


def test_what_tells_right_from_wrong_gets_the_weight():
    chance = np.random.default_rng(0)
    trials = []
    for _ in range(600):
        features = chance.normal(size=(3, len(FEATURES)))
        features[:, 0] = 1.0
        right = features[:, 1] + 0.3 * chance.normal(size=3) > 0.5
        trials.append(Trial("here", features, right))
    weights = calibrated(trials)
    assert int(np.abs(weights[1:]).argmax()) == 0
    assert calibration_error(trials, weights) == pytest.approx(0.0, abs=5.0)
