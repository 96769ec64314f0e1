"""Confidence of scores: bootstrap intervals and paired randomisation, by dialog.

Questions of one dialog hang together, so dialogs are drawn and swapped whole; by question the
intervals would be too narrow.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seminar.errors import ScoringError

Floats = NDArray[np.float64]

_CELLS = 2_000_000  # random numbers drawn at once: memory stays flat however many rounds


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much the second system is above the first, and how probable that is by chance."""

    difference: float
    p_value: float


def bootstrap_interval(
    values: Sequence[float],
    dialogs: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    rounds: int = 10_000,
    seed: int = 0,
) -> Interval:
    """The mean over questions and its percentile interval, dialogs drawn with replacement.

    `dialogs` names the dialog of each question.
    """
    if not 0 < confidence < 1:
        raise ScoringError(f"confidence must lie between 0 and 1, not {confidence}")
    _check_rounds(rounds)
    sums, counts = _by_dialog(values, dialogs)
    chance = np.random.default_rng(seed)
    share = np.full(len(sums), 1 / len(sums))
    means = []
    for size in _batches(rounds, len(sums)):
        drawn = chance.multinomial(len(sums), share, size=size)  # (size, dialogs)
        means.append((drawn @ sums) / (drawn @ counts))
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return Interval(mean=float(sums.sum() / counts.sum()), low=float(low), high=float(high))


def paired_randomisation(
    first: Sequence[float],
    second: Sequence[float],
    dialogs: Sequence[Hashable],
    *,
    rounds: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """The difference of two systems' means and its two-sided p-value (Noreen, 1989).

    In each round every dialog's answers change sides with probability one half; p is the share of
    rounds, with the real one, in which the difference is at least as large.
    """
    if len(first) != len(second):
        raise ScoringError(f"{len(first)} scores of one system but {len(second)} of the other")
    _check_rounds(rounds)
    gaps = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    sums, counts = _by_dialog(gaps, dialogs)
    observed = sums.sum()
    chance = np.random.default_rng(seed)
    # Rounding mustn't make a sum that is as large in truth look smaller.
    bar = abs(observed) - 1e-12 * np.abs(sums).sum()
    extreme = 0
    for size in _batches(rounds, len(sums)):
        sides = 2 * chance.integers(0, 2, size=(size, len(sums))) - 1  # (size, dialogs)
        extreme += int((np.abs(sides @ sums) >= bar).sum())
    difference = float(observed / counts.sum())
    return Comparison(difference=difference, p_value=(extreme + 1) / (rounds + 1))


def _by_dialog(
    values: Sequence[float] | Floats, dialogs: Sequence[Hashable]
) -> tuple[Floats, Floats]:
    """Each dialog's sum of values and number of questions, in order of appearance."""
    if len(values) != len(dialogs):
        raise ScoringError(f"{len(values)} scores but {len(dialogs)} names of dialogs")
    if not len(values):
        raise ScoringError("no scores to draw from")
    weights = np.asarray(values, dtype=np.float64)
    if not np.isfinite(weights).all():
        place = int(np.flatnonzero(~np.isfinite(weights))[0])
        raise ScoringError(f"score {place} is {weights[place]}; scores must be finite numbers")
    places: dict[Hashable, int] = {}
    index = np.fromiter((places.setdefault(name, len(places)) for name in dialogs), dtype=np.intp)
    counts = np.bincount(index).astype(np.float64)
    sums = np.bincount(index, weights=weights).astype(np.float64)
    return sums, counts


def _batches(rounds: int, dialogs: int) -> list[int]:
    """The rounds in batches of bounded size."""
    size = max(1, _CELLS // dialogs)
    full, rest = divmod(rounds, size)
    return [size] * full + ([rest] if rest else [])


def _check_rounds(rounds: int) -> None:
    """Stop where there is nothing to draw."""
    if rounds < 1:
        raise ScoringError(f"rounds must be 1 or more, not {rounds}")
