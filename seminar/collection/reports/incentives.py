"""PragmatiCQA's Table 3: what dialogs are like with and without each incentive."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from seminar.analysis.arms import by_arm
from seminar.analysis.exhibits import Table
from seminar.collection.pay.amounts import decimal_amount
from seminar.collection.records import StudyRecords, Turn


def incentives(records: StudyRecords) -> Table:
    """Seconds and pay per question, questions per dialog with and without empty ones, ratings.

    Every ended dialog with an arm counts, the empty ones too: the background test shows in them.
    Intervals of 95 % are ± the half width.
    """
    return by_arm(arm_rows(records), name=records.name)


def arm_rows(records: StudyRecords) -> Iterator[Mapping[str, Any]]:
    """Each dialog of the A/B tests as `seminar analyze` takes it too."""
    turns: defaultdict[str, list[Turn]] = defaultdict(list)
    for turn in records.turns:
        turns[turn.dialog].append(turn)
    paid: Counter[str] = Counter()
    for entry in records.pay:
        paid[entry.dialogue] += entry.amount
    for dialog in records.dialogs:
        if not dialog.arms or dialog.practice or dialog.task != "dialog" or dialog.ended is None:
            continue
        own = turns[dialog.id]
        row: dict[str, Any] = {
            "arms": dict(dialog.arms),
            "questions": len(own),
            "ratings": [rating for turn in own for rating in (turn.ratings or {}).values()],
        }
        if own:
            row["seconds"] = (dialog.ended - dialog.began).total_seconds()
            row["pay"] = float(decimal_amount(paid[dialog.id], records.currency))
        yield row
