"""Who talks with whom: pairs of the waiting workers with the largest sum of inclinations."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import combinations

import networkx as nx

from seminar.collection.assignment.inclinations import Inclinations, TopicMatch, best_topic

CONSIDERED = 60  # who have waited longest; matching takes the cube of their number


@dataclass(frozen=True, slots=True)
class Waiting:
    """A worker in the lobby; `patient` ones have waited so long that they take any topic.

    `barred` are topics whose background test they failed.
    """

    worker: str
    inclinations: Inclinations
    barred: frozenset[str] = frozenset()
    patient: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two workers, their topic, and how much they want it."""

    teacher: str
    student: str
    topic: str
    total: int

    @property
    def workers(self) -> frozenset[str]:
        return frozenset((self.teacher, self.student))


def pair(waiting: Iterable[Waiting], *, apart: Set[frozenset[str]] = frozenset()) -> list[Pair]:
    """Pairs whose sum of inclinations is largest; of equal ones those who have waited longest.

    `waiting` has the longest wait first, and a worker in two tabs counts once. `apart` are pairs
    who must not meet, as after a report. Who fits with nobody goes on waiting.
    """
    once: dict[str, Waiting] = {}
    for person in waiting:
        once.setdefault(person.worker, person)
    people = list(once.values())[:CONSIDERED]
    graph = nx.Graph()
    graph.add_nodes_from(range(len(people)))
    scale = len(people) ** 2 + 1  # above any sum of ranks, so that the inclinations come first
    for one, other in combinations(range(len(people)), 2):
        first, second = people[one], people[other]
        if frozenset((first.worker, second.worker)) in apart:
            continue
        match = _match(first, second)
        if match is not None:
            longest = 2 * len(people) - one - other
            graph.add_edge(one, other, weight=match.total * scale + longest, match=match)
    chosen = nx.max_weight_matching(graph)
    return [
        _pair(people[one], people[other], graph.edges[one, other]["match"])
        for one, other in sorted(tuple(sorted(edge)) for edge in chosen)
    ]


def _match(first: Waiting, second: Waiting) -> TopicMatch | None:
    barred = (first.barred, second.barred)
    match = best_topic(first.inclinations, second.inclinations, barred=barred)
    if match is None and (first.patient or second.patient):
        return best_topic(first.inclinations, second.inclinations, least=0, barred=barred)
    return match


def _pair(first: Waiting, second: Waiting, match: TopicMatch) -> Pair:
    teacher, student = (first, second) if match.first_teaches else (second, first)
    return Pair(teacher.worker, student.worker, match.topic, match.total)
