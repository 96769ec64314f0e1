"""The order of QuAC's sanity checks on real dialogs, where they are there."""

import os
from itertools import groupby
from pathlib import Path

import pytest

from seminar.baselines.quac import gold_sentence, gold_unanswerable, majority, random_sentence
from seminar.baselines.transitions import TransitionMatrix
from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.official.quac import QuacDialog, QuacPrediction, score_dialogs

DATA = os.environ.get("SEMINAR_DATA", "")
pytestmark = pytest.mark.skipif(not DATA, reason="SEMINAR_DATA is not set")


def f1(examples: list[Example], predictions: list[QuacPrediction]) -> float:
    by_id = {one.id: text for one, text in zip(examples, predictions, strict=True)}
    dialogs = []
    for name, group in groupby(examples, key=lambda example: example.dialogue_id):
        turns = list(group)
        dialog = QuacDialog(
            id=name,
            context=turns[0].context,
            qas=[
                {
                    "id": turn.id,
                    "answers": [{"text": answer} for answer in turn.gold.answers],
                    "yesno": "x",
                    "followup": "n",
                }
                for turn in turns
            ],
        )
        dialogs.append((dialog, {turn.id: by_id[turn.id] for turn in turns}))
    return score_dialogs(dialogs).f1


def test_order_of_the_sanity_checks():
    examples = list(load("quac/val-part", Path(DATA)))
    middle = len(examples) // 2
    cut = next(at for at in range(middle, len(examples)) if examples[at].turn == 1)
    train, test = examples[:cut], examples[cut:]
    steps = TransitionMatrix.fit(train).predict(test)
    scores = [
        f1(test, random_sentence(test)),
        f1(test, majority(test)),
        f1(test, steps),
        f1(test, gold_unanswerable(test, steps)),
        f1(test, gold_sentence(test)),
    ]
    assert scores == sorted(scores)
    assert scores[4] > 2 * scores[2]
