"""Fleiss' kappa: agreement on categories beyond what chance gives (Fleiss, 1971)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def fleiss_kappa(items: Sequence[Sequence[Hashable]]) -> float | None:
    """Agreement of several raters on categories, from below 0 to 1; None where it has no value.

    kappa = (P - Pe) / (1 - Pe): P is the mean share of agreeing pairs of raters of an item, Pe the
    sum of the squared shares of the categories. Items may have different numbers of raters; those
    with one are left out. Without two categories there is nothing to agree on beyond chance.

    >>> fleiss_kappa(["yy", "yn", "nn", "nn"])
    0.4666666666666667
    """
    rated = [Counter(item) for item in items if len(item) > 1]
    if not rated:
        return None
    agreeing = [
        sum(count * (count - 1) for count in item.values()) / (item.total() * (item.total() - 1))
        for item in rated
    ]
    observed = sum(agreeing) / len(rated)
    totals: Counter[Hashable] = Counter()
    for item in rated:
        totals.update(item)
    ratings = totals.total()
    expected = sum((count / ratings) ** 2 for count in totals.values())
    return None if expected == 1 else (observed - expected) / (1 - expected)
