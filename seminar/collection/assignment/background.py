"""Whether a worker knows a topic: which page titles belong to it (PragmatiCQA, section 3.3)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from seminar.errors import ConfigurationError

RELATED = UNRELATED = 5
PASS_MARK = 8  # of ten; who guesses all of them has it once in 18 times

NOT_QUALIFIED = "not qualified"  # why a dialog ended whose teacher failed the test

TitleJudgement = Literal["relevant", "irrelevant", "don't know"]


@dataclass(frozen=True, slots=True)
class BackgroundTest:
    """Titles in the order in which they are shown; `related` is the key, which is never shown."""

    topic: str
    titles: tuple[str, ...]
    related: tuple[bool, ...]


def background_test(
    topic: str, own: Sequence[str], others: Mapping[str, Sequence[str]], *, seed: int
) -> BackgroundTest:
    """Five popular titles of the topic and five of other topics in its genre, mixed.

    `own` and the titles of each other topic have the most popular first (`popular_pages`). Titles
    that name the topic, or that another topic has too, are taken only where there are too few of
    its own; what it shares is never asked as unrelated.
    """
    chance = random.Random(seed)
    shared = {title.casefold() for titles in others.values() for title in titles}
    related = sorted(
        dict.fromkeys(own), key=lambda title: (title.casefold() in shared, _names(title, topic))
    )
    known = {title.casefold() for title in own}
    pools = [
        [title for title in titles if title.casefold() not in known and not _names(title, topic)]
        for _, titles in sorted(others.items())
    ]
    unrelated = _in_turns(pools, chance)
    if len(related) < RELATED or len(unrelated) < UNRELATED:
        raise ConfigurationError(
            f"topic '{topic}' has {len(related)} titles and {len(unrelated)} of other topics to "
            f"ask about; a background test needs {RELATED} and {UNRELATED}"
        )
    asked = [(title, True) for title in related[:RELATED]]
    asked += [(title, False) for title in unrelated[:UNRELATED]]
    chance.shuffle(asked)
    titles, key = zip(*asked, strict=True)
    return BackgroundTest(topic, titles, key)


def score_test(test: BackgroundTest, answers: Sequence[TitleJudgement]) -> int:
    """How many titles were judged right; "don't know" is never right."""
    if len(answers) != len(test.titles):
        raise ConfigurationError(f"{len(answers)} answers for {len(test.titles)} titles")
    right = ("relevant" if related else "irrelevant" for related in test.related)
    return sum(given == expected for given, expected in zip(answers, right, strict=True))


def _names(title: str, topic: str) -> bool:
    return topic.casefold() in title.casefold()


def _in_turns(pools: Sequence[Sequence[str]], chance: random.Random) -> list[str]:
    """One title of each topic after the other, so that no topic gives most of them."""
    piles = [list(pool) for pool in pools]
    chance.shuffle(piles)
    taken: dict[str, None] = {}
    for place in range(max(map(len, piles), default=0)):
        taken.update((pile[place], None) for pile in piles if place < len(pile))
    return list(taken)
