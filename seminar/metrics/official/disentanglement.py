"""How well a channel was split into conversations: the measures of that literature.

A clustering gives each message its conversation; links pair a message with the one it answers,
or with itself where it begins a conversation (Elsner & Charniak, 2008; Kummerfeld et al., 2019).
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from seminar.errors import ScoringError

Labels = Sequence[Hashable]
Overlaps = Mapping[Hashable, Mapping[Hashable, int]]
Link = tuple[int, int]


def variation_of_information(gold: Labels, predicted: Labels) -> float:
    """1 - VI / log2(n), in percent: 100 where both split the n messages alike (Meila, 2007).

    VI = H(gold | predicted) + H(predicted | gold), which is at most log2(n).

    >>> variation_of_information("aabb", "xxyy"), variation_of_information("aabb", "xyxy")
    (100.0, 0.0)
    """
    count = _count(gold, predicted)
    if count < 2:
        return 100.0
    sizes, predicted_sizes = Counter(gold), Counter(predicted)
    lost = sum(
        both * (math.log2(sizes[label] / both) + math.log2(predicted_sizes[other] / both))
        for (label, other), both in Counter(zip(gold, predicted, strict=True)).items()
    )
    return 100 * (1 - lost / count / math.log2(count))


def one_to_one(gold: Labels, predicted: Labels) -> float:
    """The share of messages that agree under the best pairing of conversations, in percent.

    >>> one_to_one("aaabb", "xxyyy")
    80.0
    """
    count = _count(gold, predicted)
    overlaps: defaultdict[Hashable, dict[Hashable, int]] = defaultdict(dict)
    for (label, other), both in Counter(zip(gold, predicted, strict=True)).items():
        overlaps[label][other] = both
    return 100 * _best_pairing(overlaps) / count if count else 100.0


def _best_pairing(overlaps: Overlaps) -> int:
    """The greatest sum of overlaps where no conversation is paired twice."""
    pairing = _Pairing(overlaps)
    for label in overlaps:
        pairing.place(label)
    return sum(overlaps[label][other] for label, other in pairing.partner.items())


class _Pairing:
    """The best pairing of the gold conversations placed so far (the Hungarian method).

    Each is placed by the augmenting path of least cost. Overlaps are few, so that a path seldom
    leaves the neighbourhood in which it begins; prices keep every step's cost above zero.
    """

    def __init__(self, overlaps: Overlaps) -> None:
        self.overlaps = overlaps
        self.partner: dict[Hashable, Hashable] = {}  # gold -> predicted
        self._holder: dict[Hashable, Hashable] = {}  # predicted -> gold
        self._price = {label: float(max(row.values())) for label, row in overlaps.items()}
        self._value: defaultdict[Hashable, float] = defaultdict(float)  # of predicted ones

    def place(self, start: Hashable) -> None:
        """Pair one more, moving others where that gains; one of them may end up unpaired."""
        came: dict[Hashable, Hashable] = {}  # predicted -> the gold one from which it was reached
        at = {start: 0.0}  # what it costs to get to a gold one
        reached: dict[Hashable, float] = {}
        best, left_out = self._price[start], start
        queue: list[tuple[float, int, Hashable, Hashable]] = []
        here = start
        while True:
            if at[here] + self._price[here] < best:
                best, left_out = at[here] + self._price[here], here
            for other, both in self.overlaps[here].items():
                cost = at[here] + self._price[here] + self._value[other] - both
                if other not in reached and cost < best:
                    heapq.heappush(queue, (cost, len(queue) + len(reached), other, here))
            while queue and queue[0][2] in reached:
                heapq.heappop(queue)
            if not queue or queue[0][0] >= best:
                self._move(start, self.partner.pop(left_out, None), came)
                break
            cost, _, other, source = heapq.heappop(queue)
            reached[other], came[other] = cost, source
            if other not in self._holder:
                best = cost
                self._move(start, other, came)
                break
            here = self._holder[other]
            at[here] = cost
        for label, cost in at.items():
            self._price[label] -= max(0.0, best - cost)
        for other, cost in reached.items():
            self._value[other] += max(0.0, best - cost)

    def _move(
        self, start: Hashable, end: Hashable | None, came: Mapping[Hashable, Hashable]
    ) -> None:
        """Pair along the path from `start` to a predicted one that is free."""
        while end is not None:
            label = came[end]
            before = self.partner.get(label)
            self.partner[label], self._holder[end] = end, label
            end = before if label != start else None


def exact_match_f1(gold: Labels, predicted: Labels) -> float:
    """F1 over whole conversations of at least two messages, in percent (Kummerfeld et al., 2019).

    >>> exact_match_f1("aabb", "xxyz")
    66.66666666666667
    """
    _count(gold, predicted)
    return f1(_conversations(gold), _conversations(predicted))


def _conversations(labels: Labels) -> set[frozenset[int]]:
    members: defaultdict[Hashable, list[int]] = defaultdict(list)
    for number, label in enumerate(labels):
        members[label].append(number)
    return {frozenset(numbers) for numbers in members.values() if len(numbers) > 1}


def link_f1(gold: Iterable[Link], predicted: Iterable[Link]) -> float:
    """F1 over pairs of a message and what it answers, itself where it begins one; in percent.

    >>> link_f1([(0, 0), (1, 0)], [(0, 0), (1, 1)])
    50.0
    """
    return f1(set(gold), set(predicted))


def f1(gold: set[Link] | set[frozenset[int]], predicted: set[Link] | set[frozenset[int]]) -> float:
    """The harmonic mean of precision and recall, in percent; 100 where there is nothing to find."""
    if not gold and not predicted:
        return 100.0
    return 200 * len(gold & predicted) / (len(gold) + len(predicted))


def _count(gold: Labels, predicted: Labels) -> int:
    if len(gold) != len(predicted):
        raise ScoringError(
            f"{len(gold)} messages have a conversation, but {len(predicted)} were given one"
        )
    return len(gold)
