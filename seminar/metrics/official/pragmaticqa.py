"""PragmatiCQA (Qi et al., 2023): F1 of literal and pragmatic spans, recall of their passages.

The authors publish no scorer; these follow the paper's definitions and its worked examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seminar.errors import ScoringError
from seminar.metrics.measures.normalisation import tokens
from seminar.metrics.measures.overlap import bag, bag_f1


@dataclass(frozen=True, slots=True)
class Spans:
    """What answers a question, and what goes beyond it."""

    literal: Sequence[str]
    pragmatic: Sequence[str]


@dataclass(frozen=True, slots=True)
class PragmaticScore:
    """F1 of both kinds of spans."""

    literal: float
    pragmatic: float


def literal_f1(prediction: Spans, gold: Spans) -> float:
    """F1-lit: token F1 of the literal spans, 0 to 1."""
    return _f1(_bag(prediction.literal), _bag(gold.literal))


def pragmatic_f1(prediction: Spans, gold: Spans) -> float:
    """F1-prag: token F1 of the pragmatic spans once the gold literal tokens are taken off both.

    Each literal token takes off one occurrence; what adds nothing to the literal answer scores 0.

    >>> gold = Spans(literal=["Wayne Manor"], pragmatic=["Wayne Manor has a cave"])
    >>> pragmatic_f1(Spans([], ["a cave"]), gold), pragmatic_f1(Spans([], ["Wayne Manor"]), gold)
    (0.6666666666666666, 0.0)
    """
    known = _bag(gold.literal)
    return _f1(_bag(prediction.pragmatic) - known, _bag(gold.pragmatic) - known)


def pragmatic_f1_without(prediction: Spans, gold: Spans) -> float:
    """F1-prag in its other reading: a literal token takes off all its occurrences."""
    known = _bag(gold.literal).keys()
    predicted, expected = _bag(prediction.pragmatic), _bag(gold.pragmatic)
    return _f1(_without(predicted, known), _without(expected, known))


def plain_pragmatic_f1(prediction: Spans, gold: Spans) -> float:
    """Token F1 of the pragmatic spans with nothing taken off, for comparison."""
    return _f1(_bag(prediction.pragmatic), _bag(gold.pragmatic))


def score(pairs: Iterable[tuple[Spans, Spans]]) -> PragmaticScore:
    """F1-lit and F1-prag in percent over (prediction, gold) pairs, each question counting alike."""
    literal = pragmatic = 0.0
    count = 0
    for prediction, gold in pairs:
        literal += literal_f1(prediction, gold)
        pragmatic += pragmatic_f1(prediction, gold)
        count += 1
    if not count:
        raise ScoringError("no questions to score")
    return PragmaticScore(literal=100 * literal / count, pragmatic=100 * pragmatic / count)


def recall_any(gold: Sequence[str], retrieved: Sequence[str], *, k: int) -> float:
    """R@k: 1 if at least one gold passage is among the first k."""
    return float(_share_found(gold, retrieved, k) > 0)


def recall_all(gold: Sequence[str], retrieved: Sequence[str], *, k: int) -> float:
    """R-All@k: 1 if all gold passages are among the first k."""
    return float(_share_found(gold, retrieved, k) == 1)


def recall_share(gold: Sequence[str], retrieved: Sequence[str], *, k: int) -> float:
    """The share of the gold passages that is among the first k."""
    return _share_found(gold, retrieved, k)


def _share_found(gold: Sequence[str], retrieved: Sequence[str], k: int) -> float:
    """The share of the different gold passages among the first k."""
    expected = set(gold)
    if not expected:
        raise ScoringError("no gold passages to look for")
    return len(expected.intersection(retrieved[:k])) / len(expected)


def _bag(spans: Iterable[str]) -> Counter[str]:
    """The tokens of some spans together."""
    return Counter(token for span in spans for token in tokens(span))


def _without(counts: Counter[str], known: Iterable[str]) -> Counter[str]:
    """A bag without any occurrence of the known tokens."""
    gone = set(known)
    return Counter({token: count for token, count in counts.items() if token not in gone})


def _f1(predicted: Counter[str], expected: Counter[str]) -> float:
    """Token F1; an empty side is 0."""
    return bag_f1(bag(list(predicted.elements())), bag(list(expected.elements())))
