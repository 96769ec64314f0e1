"""QuAC's sanity checks and upper bounds that need no training (Choi et al., 2018, section 5)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from seminar.baselines.sections import answer_alone, best_sentence, pick, sentences_of
from seminar.examples import Example
from seminar.metrics.official.quac import (
    CANNOT_ANSWER,
    QuacPrediction,
    human_f1,
    resolve_cannot_answer,
)

MAJORITY = QuacPrediction(CANNOT_ANSWER, yesno="x", followup="n")


def random_sentence(examples: Iterable[Example], seed: int = 0) -> list[QuacPrediction]:
    """A random sentence of the section, no answer being one of them; a question's own seed.

    The choice depends on the seed and the question's id alone, so that a part of a dataset gets
    the answers that the whole would get.
    """
    return [
        answer_alone(
            random.Random(f"{seed}/{example.id}").choice([*sentences_of(example), CANNOT_ANSWER])
        )
        for example in examples
    ]


def majority(examples: Iterable[Example]) -> list[QuacPrediction]:
    """No answer, neither yes nor no, and don't follow up, whatever is asked."""
    return [MAJORITY for _ in examples]


def gold_sentence(examples: Iterable[Example]) -> list[QuacPrediction]:
    """The sentence with the highest F1, and no answer where there is none (gold sentence + NA)."""
    return [pick(sentences_of(example), best_sentence(example)) for example in examples]


def gold_unanswerable(
    examples: Iterable[Example], predictions: Iterable[QuacPrediction]
) -> list[QuacPrediction]:
    """Predictions with no answer where that is gold (gold NA + ...)."""
    return [
        prediction if example.gold.answerable else answer_alone(CANNOT_ANSWER)
        for example, prediction in zip(examples, predictions, strict=True)
    ]


def human(examples: Sequence[Example]) -> list[float]:
    """The F1 of people on each question: every reference against the others, averaged."""
    return [human_f1(resolve_cannot_answer(example.gold.answers)) for example in examples]
