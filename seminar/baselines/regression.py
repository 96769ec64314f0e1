"""QuAC's feature-rich logistic regression over candidate sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seminar.baselines.features import NAMES, Features, candidate_features
from seminar.baselines.sections import best_sentence, pick, sentences_of
from seminar.errors import DatasetError
from seminar.examples import Example
from seminar.logistic import fit_logistic_with_bias
from seminar.metrics.official.quac import QuacPrediction

Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentenceRegression:
    """Chooses the sentence, or no answer, that most likely answers.

    p(right) = 1 / (1 + exp(-(w·x + b))), fitted to every candidate of every question, the sentence
    with the highest F1 being right; the paper fits the same model with Vowpal Wabbit.
    """

    weights: Weights  # (features,)
    bias: float

    @classmethod
    def fit(cls, examples: Iterable[Example], penalty: float = 1.0) -> SentenceRegression:
        """Fit the weights to a training set, with an L2 penalty on them."""
        tables: list[Features] = []
        labels: list[int] = []
        for example in examples:
            table, best = candidate_features(example), best_sentence(example)
            right = len(table) - 1 if best is None else best
            tables.append(table)
            labels += [int(number == right) for number in range(len(table))]
        if not tables:
            raise DatasetError("no examples to fit the sentence regression to")
        targets = np.array(labels, dtype=float)
        weights, bias = fit_logistic_with_bias(np.vstack(tables), targets, penalty=penalty)
        return cls(weights, bias)

    def predict(self, examples: Iterable[Example]) -> list[QuacPrediction]:
        """The most likely candidate of each question."""
        predictions: list[QuacPrediction] = []
        for example in examples:
            candidates = sentences_of(example)
            best = int((candidate_features(example) @ self.weights).argmax())
            predictions.append(pick(candidates, best if best < len(candidates) else None))
        return predictions

    def explain(self) -> dict[str, float]:
        """The weight of each feature by its name."""
        return {name: float(weight) for name, weight in zip(NAMES, self.weights, strict=True)}
