"""Whether an incentive is on in the next dialog: the A/B tests of PragmatiCQA (section 3.5).

The paper's note 4: count the successful dialogs with and without each technique, adjust the
probability for the next one, and correct for workers who return, so that they can't skip the
configuration they don't like. Each technique is assigned by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from seminar.collection.assignment.background import NOT_QUALIFIED
from seminar.collection.records import Dialog

TARGET = 0.8  # the share of the completed dialogs that have the technique
HORIZON = 10  # dialogs over which a shortfall is made up
FLOOR = 0.05  # neither side is ever certain


def assign(
    technique: str,
    dialogs: Sequence[Dialog],
    workers: Iterable[str],
    *,
    chance: random.Random,
    target: float = TARGET,
) -> bool:
    """Whether a technique is on in the next dialog of these workers.

    `dialogs` are those of the study so far, the oldest first. Who comes from one that was left
    without a single turn gets the same again: leaving at once is no way to choose.
    """
    owed = {
        dialog.arms[technique]
        for dialog in (_last(technique, dialogs, worker) for worker in workers)
        if dialog is not None and _was_left_at_once(dialog)
    }
    if len(owed) == 1:
        return owed.pop()
    return chance.random() < probability(technique, dialogs, target=target)


def probability(technique: str, dialogs: Iterable[Dialog], *, target: float = TARGET) -> float:
    """With which probability a technique is on in the next dialog: more where it is short.

    Live dialogs count by the share of their side's ended ones that were completed, so that many
    of them at once don't all make up the same shortfall.

    >>> probability("survey", [])
    0.8
    """
    counts = {True: [0, 0, 0], False: [0, 0, 0]}  # completed, ended, live
    for dialog in dialogs:
        if technique in dialog.arms and not dialog.practice and dialog.task == "dialog":
            side = counts[dialog.arms[technique]]
            side[0] += dialog.kept
            side[1] += dialog.state == "ended"
            side[2] += dialog.state == "live" and not dialog.kept
    on, off = (
        completed + live * (completed + 1) / (ended + 2)
        for completed, ended, live in (counts[True], counts[False])
    )
    short = target * (on + off) - on
    return min(1 - FLOOR, max(FLOOR, target + short / HORIZON))


def _was_left_at_once(dialog: Dialog) -> bool:
    """Whether somebody went before the first turn, other than for a background test they failed."""
    return dialog.state == "ended" and not dialog.turns and dialog.reason != NOT_QUALIFIED


def _last(technique: str, dialogs: Sequence[Dialog], worker: str) -> Dialog | None:
    return next(
        (
            dialog
            for dialog in reversed(dialogs)
            if technique in dialog.arms and any(seat.worker == worker for seat in dialog.seats)
        ),
        None,
    )
