"""Histories of the written dialogues as they are in use: some replies are missing or wrong."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from seminar.datasets.dialogues.written import WrittenSet
from seminar.examples import Example, Gold
from seminar.training.reader.examples import CANNOT_ANSWER

MISSING_REPLY_SHARE = 0.15  # of the replies in a history
WRONG_REPLY_SHARE = 0.2  # the same: the reply of another turn about the set

History = tuple[tuple[str, str], ...]


def with_changed_replies(history: History, group: WrittenSet, draw: random.Random) -> History:
    """A history in which some replies are missing, or those of other turns about the set."""
    replies = [turn.reply for turns in group.dialogues for turn in turns if turn.reply]

    def changed(reply: str) -> str:
        chance = draw.random()
        if chance < MISSING_REPLY_SHARE:
            return CANNOT_ANSWER
        return draw.choice(replies) if chance < MISSING_REPLY_SHARE + WRONG_REPLY_SHARE else reply

    return tuple((question, changed(reply)) for question, reply in history)


def follow_ups(groups: Iterable[WrittenSet], *, seed: int, repeats: int) -> list[Example]:
    """Every question that follows another one, with its history and its rewrite."""
    draw = random.Random(f"{seed} follow-ups")
    return [one for group in groups for _ in range(repeats) for one in _of_set(group, draw)]


def _of_set(group: WrittenSet, draw: random.Random) -> Iterator[Example]:
    for number, turns in enumerate(group.dialogues, start=1):
        history: History = ()
        for place, turn in enumerate(turns, start=1):
            if history:
                name = f"{group.id}-{number}"
                seen = with_changed_replies(history, group, draw)
                gold = Gold(rewrites=(turn.rewrite,))
                yield Example(f"{name}-{place}", name, turn.question, gold, seen)
            history = (*history, (turn.question, turn.reply or CANNOT_ANSWER))
