"""ROUGE-N and ROUGE-L (Lin, 2004), as rouge_score counts them; QReCC reports ROUGE-1 recall."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from seminar.errors import ScoringError
from seminar.metrics.extras import require

_OTHER = re.compile(r"[^a-z0-9]+")
_STEMMED_FROM = 4  # shorter words are left as they are


@dataclass(frozen=True, slots=True)
class Rouge:
    """Precision, recall and F of a prediction, 0 to 1."""

    precision: float
    recall: float
    f: float


def rouge_tokens(text: str, *, stem: bool = False) -> list[str]:
    """Lower-case runs of a-z and 0-9; other letters part words."""
    words = _OTHER.sub(" ", text.lower()).split()
    if not stem:
        return words
    stemmer = require("nltk.stem.porter").PorterStemmer()
    stems = [stemmer.stem(word) if len(word) >= _STEMMED_FROM else word for word in words]
    return [word for word in stems if word]


def rouge_n(prediction: str, reference: str, *, n: int = 1, stem: bool = False) -> Rouge:
    """ROUGE-N: shared runs of n words, clipped.

    >>> rouge_n("when did they release it", "when did Radiohead release it").recall
    0.8
    """
    predicted = _ngrams(rouge_tokens(prediction, stem=stem), n)
    expected = _ngrams(rouge_tokens(reference, stem=stem), n)
    return _rouge((predicted & expected).total(), predicted.total(), expected.total())


def rouge_l(prediction: str, reference: str, *, stem: bool = False) -> Rouge:
    """ROUGE-L: the longest common subsequence of words."""
    predicted, expected = (rouge_tokens(text, stem=stem) for text in (prediction, reference))
    return _rouge(_common_subsequence(predicted, expected), len(predicted), len(expected))


def mean_rouge_1_recall(
    predictions: Sequence[str], references: Sequence[str], *, stem: bool = False
) -> float:
    """The mean ROUGE-1 recall of rewrites, 0 to 1 (QReCC; Anantha et al., 2021)."""
    if len(predictions) != len(references) or not references:
        raise ScoringError(
            f"{len(predictions)} predictions and {len(references)} references don't go together"
        )
    pairs = zip(predictions, references, strict=True)
    return sum(
        rouge_n(predicted, expected, stem=stem).recall for predicted, expected in pairs
    ) / len(references)


def _rouge(shared: int, predicted: int, expected: int) -> Rouge:
    """The scores from counts."""
    precision, recall = shared / max(predicted, 1), shared / max(expected, 1)
    total = precision + recall
    return Rouge(precision, recall, 2 * precision * recall / total if total else 0.0)


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each run of n words occurs."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for word in left:
        before = 0  # the cell up and to the left
        for place, other in enumerate(right, start=1):
            above = row[place]
            row[place] = before + 1 if word == other else max(above, row[place - 1])
            before = above
    return row[-1]
