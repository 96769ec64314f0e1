"""Logistic regression: log odds as probabilities, and the weights that fit labels best."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LIMIT = 50.0  # beyond it probabilities hardly change, and exp might overflow
FREE = 1e-9  # penalty of a weight that is not penalised: keeps the system solvable


def probability(log_odds: float) -> float:
    """The probability of log odds.

    >>> probability(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-max(-LIMIT, min(LIMIT, log_odds))))


def probabilities(log_odds: Floats) -> Floats:
    """The probability of each of the log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -LIMIT, LIMIT))))


def softmax(scores: Floats) -> Floats:
    """Probabilities of classes, row by row: (rows, classes) to (rows, classes)."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit_logistic(features: Floats, labels: Floats, *, penalty: float | Floats = 1.0) -> Floats:
    """Weights of least penalised log loss, by Newton's method.

    Minimises sum(log(1 + exp(-y w·x))) + 1/2 sum(penalty w²), y being 1 or -1 for labels 1 and 0.
    """
    ridge = np.broadcast_to(np.asarray(penalty, dtype=np.float64), features.shape[1:])

    def gradient(weights: Floats) -> Floats:
        return features.T @ (probabilities(features @ weights) - labels) + ridge * weights

    def curvature(weights: Floats) -> Floats:
        chance = probabilities(features @ weights)
        return (features * (chance * (1 - chance))[:, None]).T @ features + np.diag(ridge)

    return _minimise(np.zeros(features.shape[1]), gradient, curvature, steps=50, tolerance=1e-8)


def fit_logistic_with_bias(
    features: Floats, labels: Floats, *, penalty: float = 1.0
) -> tuple[Floats, float]:
    """Weights and a bias, which is not penalised."""
    rows = np.hstack([features, np.ones((len(features), 1))])  # (rows, features + 1)
    ridge = np.array([*[penalty] * features.shape[1], FREE])
    weights = fit_logistic(rows, labels, penalty=ridge)
    return weights[:-1], float(weights[-1])


def fit_softmax(features: Floats, labels: Floats, *, penalty: float = 1.0) -> Floats:
    """Weights (features, classes) of least penalised log loss; labels are (rows, classes).

    Each step solves with a bound on the curvature, XᵀX/2, that is the same for every class
    (Böhning, 1992), so that the loss falls at each step.
    """
    bound = features.T @ features / 2 + penalty * np.eye(features.shape[1])

    def gradient(weights: Floats) -> Floats:
        return features.T @ (softmax(features @ weights) - labels) + penalty * weights

    start = np.zeros((features.shape[1], labels.shape[1]))
    return _minimise(start, gradient, lambda weights: bound, steps=400, tolerance=1e-4)


def _minimise(
    weights: Floats,
    gradient: Callable[[Floats], Floats],
    curvature: Callable[[Floats], Floats],
    *,
    steps: int,
    tolerance: float,
) -> Floats:
    """Step by curvature⁻¹ gradient until no weight moves by more than the tolerance."""
    for _ in range(steps):
        step = np.linalg.solve(curvature(weights), gradient(weights))
        weights = weights - step
        if np.abs(step).max() < tolerance:
            break
    return weights
