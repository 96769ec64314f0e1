from pathlib import Path

import numpy as np
import pytest

from seminar.examples import Example, Gold
from seminar.reading.candidates import Candidate
from seminar.reading.regions import Region, Sentence
from seminar.reading.span_reader import AFFIRMATION_FEATURES, FEATURES, Featured
from seminar.training.fitting.calibration import (
    AffirmationTrial,
    ReadingTrial,
    calibration_error,
    evaluate,
    fitted_affirmation,
    is_right,
    load_trials,
    reading_trial,
    save_trials,
)
from seminar.training.fitting.public_probes import Probe
from seminar.training.fitting.trials import Trial, calibrated
from seminar.types import Passage, Span

TEXT = "The ferry was built in 1911 by Edda Thornquist."
OWN = Passage("1", 0, len(TEXT), TEXT, title="The ferry")
OTHER = Passage("2", 0, len(TEXT), TEXT, title="Another ferry")


def candidate(words: str, passage: Passage = OWN, yes: float | None = None) -> Featured:
    start = passage.text.index(words)
    span = Span(passage, start, start + len(words))
    region = Region(passage, (Sentence(0, len(TEXT), 1.0),), 1, 1.0, 1.0)
    features = (1.0,) * len(FEATURES)
    found = Candidate(region, span, 0.0, 0.0, yes)
    return Featured(found, features, (1.0,) * len(AFFIRMATION_FEATURES))


def probe(gold: Gold) -> Probe:
    return Probe("here", Example("1", "1", "Who built it?", gold, title="The_ferry"))


def test_half_of_the_words_of_the_right_article_are_right():
    built = probe(Gold(("Edda Thornquist",), spans=((31, 46),)))
    assert is_right(candidate("Edda Thornquist"), built)
    assert is_right(candidate("Thornquist"), built)  # F1 of 2/3
    assert not is_right(candidate("1911"), built)
    assert not is_right(candidate("Edda Thornquist", OTHER), built)


def test_evidence_of_a_yes_or_no_is_right_in_its_article():
    asked = probe(Gold(affirmation="yes"))
    assert is_right(candidate("built", yes=-3.0), asked)
    assert not is_right(candidate("built", OTHER, yes=3.0), asked)
    assert not is_right(candidate("built"), asked)


def test_affirmation_of_the_strongest_candidate_is_compared_with_the_wanted_one():
    yes, no = candidate("built", yes=2.0), candidate("built", yes=-2.0)
    trials = [reading_trial("public", "here", [one], [True], "yes") for one in (yes, no)]
    assert [trial.affirmation.right for trial in trials if trial.affirmation] == [True, False]
    refused = reading_trial("public", "unanswerable", [yes], [False], None)
    assert refused.affirmation
    assert not refused.affirmation.right
    assert reading_trial("public", "here", [candidate("1911")], [True], None).affirmation is None


def test_trials_are_kept_in_a_file(tmp_path: Path):
    path = tmp_path / "trials.json"
    trials = [
        reading_trial("written", "here", [candidate("built", yes=2.0)], [True], "yes"),
        reading_trial("public", "hidden", [candidate("1911")], [False], None),
    ]
    save_trials(path, trials)
    first, second = load_trials(path)
    assert (first.source, first.answers.kind, first.answers.right.tolist()) == (
        "written",
        "here",
        [True],
    )
    assert first.affirmation
    assert first.affirmation.right
    assert second.affirmation is None
    assert second.answers.features.shape == (1, len(FEATURES))


def test_evidence_that_separates_right_from_wrong_affirmations_gets_the_weight():
    chance = np.random.default_rng(1)
    trials = []
    for _ in range(400):
        features = chance.normal(size=len(AFFIRMATION_FEATURES))
        features[0] = 1.0
        right = bool(features[2] > 0)
        answers = Trial("here", np.ones((1, len(FEATURES))), np.array([right]))
        trials.append(ReadingTrial("written", answers, AffirmationTrial(features, right)))
    weights = fitted_affirmation(trials)
    assert int(np.abs(weights).argmax()) == 2
    scores = evaluate(trials, np.zeros(len(FEATURES)), weights)
    levels = scores["written"]["yes or no"]
    assert levels["0.5"]["right of those said"] > 95


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


def test_evidence_that_separates_right_from_wrong_answers_gets_the_weight():
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
