"""Arms of a collection: time, length, pay and ratings with and without an incentive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from seminar.analysis.exhibits import Table, missing_table
from seminar.errors import DatasetError

ARMS = "arms"
Z = 1.959964  # of a 95 % interval


def by_arm(dialogs: Iterable[Mapping[str, object]], name: str = "dialogs") -> Table:
    """PragmatiCQA, table 3: what dialogs were like in each arm.

    A dialog is an object with `arms`, as in {"topic selection": true}, `questions` (how many),
    and where known `seconds`, `pay` and `ratings`. An empty dialog has 0 questions.
    """
    title = "Arms of the collection (PragmatiCQA, table 3)"
    rows = [_row(dialog, f"{name}:{number}") for number, dialog in enumerate(dialogs, start=1)]
    frame = pd.DataFrame(rows)
    arms = [column for column in frame.columns if str(column).startswith("arm ")]
    if not arms:
        return missing_table("arms", title, "No dialog says in which arm of a test it was held.")
    table = [
        _arm(frame[frame[arm] == on], arm.removeprefix("arm "), on=on)
        for arm in arms
        for on in (True, False)
        if (frame[arm] == on).any()
    ]
    note = "± is the half width of the 95 % interval of the mean over dialogs."
    return Table("arms", title, pd.DataFrame(table), note)


def _row(dialog: Mapping[str, object], where: str) -> dict[str, object]:
    arms = dialog.get(ARMS)
    if not isinstance(arms, Mapping) or not all(isinstance(on, bool) for on in arms.values()):
        raise DatasetError(f"{where}: expected 'arms', an object of true and false, found {arms!r}")
    ratings = dialog.get("ratings")
    listed = ratings if isinstance(ratings, list) else []
    if not all(isinstance(one, int | float) for one in listed):
        raise DatasetError(f"{where}: ratings: expected numbers, found {ratings!r}")
    numbers = {name: _number(dialog, name, where) for name in ("questions", "seconds", "pay")}
    rating = float(np.mean(listed)) if listed else np.nan
    return {**numbers, "rating": rating, **{f"arm {arm}": on for arm, on in arms.items()}}


def _number(dialog: Mapping[str, object], name: str, where: str) -> float:
    value = dialog.get(name)
    if value is None and name != "questions":
        return np.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise DatasetError(f"{where}: {name}: expected a number from 0 on, found {value!r}")
    return float(value)


def _arm(part: pd.DataFrame, arm: str, *, on: bool) -> dict[str, object]:
    held = part[part["questions"] > 0]
    row: dict[str, object] = {
        "arm": arm,
        "on": "yes" if on else "no",
        "dialogs": len(part),
        "non-empty": len(held),
    }
    measured = {
        "seconds / QA": held["seconds"] / held["questions"],
        "QAs / non-empty dialog": held["questions"],
        "QAs / dialog": part["questions"],
        "pay / dialog": held["pay"],
        "pay / QA": held["pay"] / held["questions"],
        "rating": held["rating"],
    }
    for name, values in measured.items():
        known = values.dropna()
        if len(known):
            row[name] = float(known.mean())
            row[f"± {name}"] = (
                Z * float(known.std()) / len(known) ** 0.5 if len(known) > 1 else np.nan
            )
    return row
