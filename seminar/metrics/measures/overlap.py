"""Exact match and token F1 between a prediction and its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from seminar.metrics.measures.normalisation import normalise, tokens
from seminar.metrics.strictness import check_text, fault


class Bag(NamedTuple):
    """A multiset of tokens: the different ones, how often those occur that repeat, and its size.

    Most answers repeat little, so that sharing is mostly the intersection of two sets.
    """

    kinds: frozenset[str]
    repeated: Mapping[str, int]
    size: int


@dataclass(frozen=True, slots=True)
class TurnScore:
    """Exact match and F1 of one answer, 0 to 1."""

    exact: float
    f1: float


def bag(words: Sequence[str]) -> Bag:
    """The multiset of some tokens."""
    kinds = frozenset(words)
    if len(kinds) == len(words):
        return Bag(kinds, {}, len(words))
    repeated = {word: count for word, count in Counter(words).items() if count > 1}
    return Bag(kinds, repeated, len(words))


def bag_of(text: str) -> Bag:
    """The multiset of a text's normalised tokens."""
    return bag(tokens(text))


def bag_f1(left: Bag, right: Bag) -> float:
    """F1 of two multisets, 2PR/(P+R); nothing shared is 0, also where both are empty (SQuAD 1.1).

    The order of the operations is the official one, so that scores on a threshold fall on the same
    side: two bags of five that share two give 0.4000000000000001, which is at least 0.4.
    """
    shared = _shared(left, right)
    if shared == 0:
        return 0.0
    precision = shared / left.size
    recall = shared / right.size
    return (2 * precision * recall) / (precision + recall)


def _shared(left: Bag, right: Bag) -> int:
    """The size of the intersection of two multisets."""
    shared = len(left.kinds & right.kinds)
    if left.repeated and right.repeated:
        for word in left.repeated.keys() & right.repeated.keys():
            shared += min(left.repeated[word], right.repeated[word]) - 1
    return shared


def bag_f1_agreeing(left: Bag, right: Bag) -> float:
    """F1 of two multisets, where two empty ones agree: 1 (SQuAD 2.0 and what followed it)."""
    if left.size == 0 or right.size == 0:
        return float(left.size == right.size)
    return bag_f1(left, right)


def f1(prediction: str, reference: str) -> float:
    """Token F1 as in SQuAD 1.1 and QuAC: without a shared token it is 0.

    >>> f1("the red house", "a red car")
    0.5
    >>> f1("the", "an")
    0.0
    """
    return bag_f1(bag_of(prediction), bag_of(reference))


def f1_agreeing(prediction: str, reference: str) -> float:
    """Token F1 as in SQuAD 2.0, CoQA, TopiOCQA, QAConv and QReCC: two empty texts agree.

    >>> f1_agreeing("the", "an")
    1.0
    """
    return bag_f1_agreeing(bag_of(prediction), bag_of(reference))


def exact_match(prediction: str, reference: str) -> bool:
    """Whether two texts are the same once normalised.

    >>> exact_match("The Beatles!", "beatles")
    True
    """
    return normalise(prediction) == normalise(reference)


def leave_one_out(scores: Sequence[float]) -> float:
    """The mean, over the references, of the best score against the other references.

    One reference counts plainly. An answer that equals one of four unlike references gets 0.75.

    >>> leave_one_out([1.0, 0.0, 0.0, 0.0])
    0.75
    """
    if len(scores) == 1:
        return scores[0]
    best = max(scores)
    first = scores.index(best)
    second = max(score for index, score in enumerate(scores) if index != first)
    total = 0.0
    for index in range(len(scores)):
        total += second if index == first else best
    return total / len(scores)


def score_turn(prediction: str, references: Sequence[str], *, strict: bool = False) -> TurnScore:
    """Exact match and F1 of one turn, each leave-one-out over the references (CoQA, TopiOCQA)."""
    if not references:
        raise fault(ValueError, "a turn without references can't be scored", strict=strict)
    check_text(prediction, "the prediction", strict=strict)
    for reference in references:
        check_text(reference, "a reference", strict=strict)
    predicted = tokens(prediction)
    expected = [tokens(reference) for reference in references]
    bags = [bag(words) for words in expected]
    mine = bag(predicted)
    return TurnScore(
        exact=leave_one_out([float(words == predicted) for words in expected]),
        f1=leave_one_out([bag_f1_agreeing(mine, other) for other in bags]),
    )


def score_humans(references: Sequence[str], *, strict: bool = False) -> TurnScore:
    """How well the references of one turn do against each other: each against the best other."""
    if len(references) < 2:
        message = f"a human score needs two references or more; this turn has {len(references)}"
        raise fault(SystemExit, message, strict=strict)
    for reference in references:
        check_text(reference, "a reference", strict=strict)
    expected = [tokens(reference) for reference in references]
    bags = [bag(words) for words in expected]
    places = range(len(references))
    exact = [max(float(expected[i] == expected[j]) for j in places if j != i) for i in places]
    f1s = [max(bag_f1_agreeing(bags[i], bags[j]) for j in places if j != i) for i in places]
    return TurnScore(exact=sum(exact) / len(exact), f1=sum(f1s) / len(f1s))
