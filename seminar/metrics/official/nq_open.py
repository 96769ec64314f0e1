"""Natural Questions, open (Lee et al., 2019): exact match with any reference."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from seminar.metrics.measures.normalisation import normalise
from seminar.metrics.strictness import check_some, check_text, fault


@dataclass(frozen=True, slots=True)
class NqScores:
    """How many questions were answered correctly, and how many not at all."""

    correct: int
    total: int
    missing: int

    @property
    def accuracy(self) -> float:
        return self.correct / self.total


def normalise_decomposed(text: str) -> str:
    """A text as ORQA compares it: decomposed first, so a lone accented 'a' loses its letter."""
    return normalise(unicodedata.normalize("NFD", text))


def exact_match(prediction: str, references: Sequence[str]) -> bool:
    """Whether a prediction equals any reference, once normalised.

    >>> exact_match("The Eiffel Tower.", ["eiffel tower", "tour eiffel"])
    True
    """
    predicted = normalise_decomposed(prediction)
    return any(normalise_decomposed(reference) == predicted for reference in references)


def pattern_match(prediction: str, references: Sequence[str]) -> bool:
    """Whether a prediction begins with what any reference, a regular expression, matches."""
    return any(_begins_with(prediction, reference) for reference in references)


def _begins_with(prediction: str, pattern: str) -> bool:
    """Whether a pattern matches at the start; a broken pattern doesn't."""
    try:
        return re.match(pattern, prediction, re.IGNORECASE | re.MULTILINE) is not None
    except re.error:
        return False


def score(
    references: Mapping[str, Sequence[str]],
    predictions: Mapping[str, str],
    *,
    match: Callable[[str, Sequence[str]], bool] = exact_match,
    strict: bool = False,
) -> NqScores:
    """Accuracy over the questions; `match=pattern_match` takes references for patterns."""
    check_some(references, "questions", strict=strict)
    correct = 0
    for question, expected in references.items():
        if question not in predictions:
            continue
        if not expected:
            raise fault(ValueError, f"question '{question}' has no references", strict=strict)
        for text in (predictions[question], *expected):
            where = f"an answer to '{question}'"
            check_text(text, where, strict=strict, official=TypeError)
        correct += match(predictions[question], expected)
    missing = sum(question not in predictions for question in references)
    return NqScores(correct=correct, total=len(references), missing=missing)
