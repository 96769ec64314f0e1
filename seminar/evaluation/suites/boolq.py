"""BoolQ: accuracy of yes and no (Clark et al., 2019)."""

from __future__ import annotations

from seminar.datasets.dialogues.quac import AFFIRMATIONS
from seminar.evaluation.predictions import Prediction
from seminar.evaluation.suites.suite import Suite
from seminar.evaluation.tasks import Measures, Task
from seminar.examples import Example


def measure(example: Example, prediction: Prediction) -> Measures:
    """Whether yes or no is right, given as QuAC's letter or as the answer."""
    affirmation = AFFIRMATIONS.get(prediction.yesno) or prediction.answer.lower()
    return {"accuracy": float(affirmation == example.gold.affirmation)}


SUITE = Suite({"answers": Task(("accuracy",), measure)})
