"""Which topic two workers talk about, and who teaches whom (PragmatiCQA, section 3.3)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from seminar.collection.corpus.records import Topic
from seminar.collection.records import Inclination
from seminar.errors import ConfigurationError

FEWEST, MOST = 5, 15  # topics of a survey

Inclinations = Mapping[str, Inclination]  # by topic


class TopicMatch(NamedTuple):
    """A topic for two workers; `total` is how much the one wants to teach and the other to learn.

    `first_teaches` says whether the first of the two is the teacher.
    """

    topic: str
    first_teaches: bool
    total: int


def survey_topics(topics: Sequence[Topic], *, count: int = 10, seed: int = 0) -> tuple[Topic, ...]:
    """Topics to ask a worker about: drawn at random, evenly from the genres.

    All of them where there are fewer than `count`.
    """
    if not FEWEST <= count <= MOST:
        raise ConfigurationError(
            f"a survey asks about {FEWEST} to {MOST} topics, not {count}: change the number"
        )
    chance = random.Random(seed)
    by_genre: defaultdict[str, list[Topic]] = defaultdict(list)
    for topic in topics:
        by_genre[topic.genre].append(topic)
    piles = [by_genre[genre] for genre in sorted(by_genre)]
    for pile in piles:
        chance.shuffle(pile)
    drawn: list[Topic] = []
    while len(drawn) < count and any(piles):
        chance.shuffle(piles)
        drawn += [pile.pop() for pile in piles if pile]
    return tuple(drawn[:count])


def best_topic(
    first: Inclinations,
    second: Inclinations,
    *,
    least: int = 1,
    barred: tuple[Set[str], Set[str]] = (frozenset(), frozenset()),
) -> TopicMatch | None:
    """The topic and the roles with the largest sum of inclinations, None where no topic fits.

    One wants to teach it and the other to learn it, each at least by `least`: with 0, one who is
    not interested is taken too, but never somebody against their wish. `barred` are topics that
    the first and the second may not teach. Of equal topics it is the first by name.

    >>> best_topic({"film": 1, "opera": -1}, {"film": -1, "opera": 2})
    TopicMatch(topic='opera', first_teaches=False, total=3)
    """
    matches = [
        TopicMatch(topic, first_teaches, teaching - learning)
        for topic in sorted(first.keys() & second.keys())
        for first_teaches in (True, False)
        if topic not in barred[0 if first_teaches else 1]
        for teaching, learning in [_levels(topic, first, second, first_teaches=first_teaches)]
        if teaching >= least and learning <= -least
    ]
    return max(matches, key=lambda match: match.total, default=None)


def random_topic(
    first: Inclinations,
    second: Inclinations,
    *,
    seed: int,
    barred: tuple[Set[str], Set[str]] = (frozenset(), frozenset()),
) -> TopicMatch | None:
    """A topic and roles by chance: what workers get where they can't choose (the A/B test).

    `barred` are topics that the first and the second may not teach.
    """
    possible = [
        (topic, first_teaches)
        for topic in sorted(first.keys() & second.keys())
        for first_teaches in (True, False)
        if topic not in barred[0 if first_teaches else 1]
    ]
    if not possible:
        return None
    topic, first_teaches = random.Random(seed).choice(possible)
    teaching, learning = _levels(topic, first, second, first_teaches=first_teaches)
    return TopicMatch(topic, first_teaches, teaching - learning)


def _levels(
    topic: str, first: Inclinations, second: Inclinations, *, first_teaches: bool
) -> tuple[int, int]:
    """The inclinations of who would teach and of who would learn."""
    teacher, student = (first, second) if first_teaches else (second, first)
    return teacher[topic], student[topic]
