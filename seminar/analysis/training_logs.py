"""Logs of training runs: loss and scores over the examples seen, several runs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from seminar.errors import SeminarError
from seminar.io import read_json_lines


def read_log(path: Path) -> pd.DataFrame:
    """The entries of a `log.jsonl`: step, examples, seconds, loss, and a column for each score.

    A last line that was cut short, as in a run that goes on, is left out.
    """
    rows: list[Mapping[str, object]] = []
    entries = read_json_lines(path)
    while True:
        try:
            entry = next(entries, None)
        except SeminarError:
            if rows and not path.read_bytes().endswith(b"\n"):
                break
            raise
        if entry is None:
            break
        scores = entry.get("scores")
        held = scores if isinstance(scores, Mapping) else {}
        numbers = {
            name: value
            for name, value in {**entry, **{f"score {key}": v for key, v in held.items()}}.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }
        rows.append(numbers)
    frame = pd.DataFrame(rows)
    return frame if "examples" in frame else pd.DataFrame()


def best_scores(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Each run's last loss, the range of each of its scores, and the examples that it saw."""
    rows = []
    for name, log in runs.items():
        if log.empty:
            continue
        losses = log["loss"].dropna() if "loss" in log else pd.Series(dtype=float)
        seen = int(log["examples"].max())
        hours = float(log["seconds"].max()) / 3600 if "seconds" in log else float("nan")
        last = float(losses.iloc[-1]) if len(losses) else float("nan")
        scores = [column for column in log if str(column).startswith("score ")]
        for column in scores or [""]:
            known = log[column].dropna() if column else pd.Series(dtype=float)
            rows.append(
                (name, seen, hours, last, str(column).removeprefix("score "),
                 known.max() if len(known) else float("nan"),
                 known.min() if len(known) else float("nan"),
                 known.iloc[-1] if len(known) else float("nan"))
            )  # fmt: skip
    names = ["run", "examples", "hours", "last loss", "score", "highest", "lowest", "last"]
    return pd.DataFrame(rows, columns=names)
