"""FZ-R, the fuzzy ratio of QAConv (Wu et al., 2022), with either of the back ends it may run on."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from seminar.errors import unknown
from seminar.metrics.extras import require
from seminar.metrics.measures.normalisation import normalise


def difflib_ratio(prediction: str, reference: str) -> float:
    """Matching blocks by the standard library, out of 100; not symmetric, low on long texts.

    What the official requirements install. From 200 characters on, the reference's frequent
    characters can't start a match.
    """
    return 100 * difflib.SequenceMatcher(None, prediction, reference).ratio()


def levenshtein_ratio(prediction: str, reference: str) -> float:
    """Twice the longest common subsequence by both lengths, out of 100."""
    ratio: float = require("rapidfuzz.fuzz").ratio(prediction, reference)
    return ratio


RATIOS: dict[str, Callable[[str, str], float]] = {
    "difflib": difflib_ratio,
    "levenshtein": levenshtein_ratio,
}


def fuzzy_ratio(prediction: str, reference: str, *, backend: str = "difflib") -> int:
    """How alike two normalised texts are, 0 to 100, rounded half to even.

    >>> fuzzy_ratio("the xylophone", "xylophon")
    94
    """
    if backend not in RATIOS:
        raise unknown("back end", backend, RATIOS)
    predicted, expected = normalise(prediction), normalise(reference)
    if predicted == expected:
        return 100
    if not predicted or not expected:
        return 0
    return round(RATIOS[backend](predicted, expected))
