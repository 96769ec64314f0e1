"""Log odds as probabilities: what every fitted weighing of evidence ends in."""

from __future__ import annotations

import math

LIMIT = 50.0  # beyond it nothing is surer, and exp might overflow


def probability(odds: float) -> float:
    """The probability of log odds.

    >>> probability(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-max(-LIMIT, min(LIMIT, odds))))
