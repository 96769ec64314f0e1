"""Where answers lie and what is asked at which turn (QuAC, figures 5 and 6)."""

from __future__ import annotations

import pandas as pd

from seminar.analysis.frames import dialogs
from seminar.baselines.transitions import CHUNKS, NO_ANSWER, START

LEAST = 5  # dialogs that must reach a turn for it to be shown, in a large corpus
PLACES = [*(str(chunk + 1) for chunk in range(CHUNKS)), "none"]


def position_by_turn(frame: pd.DataFrame) -> pd.DataFrame:
    """Figures 5a and 5c: where the answers of each turn begin, as a share of the section."""
    located = frame[frame["start"].notna()]
    groups = located.groupby("turn")["start"]
    table = pd.DataFrame(
        {
            "answers": groups.size(),
            "lower quartile": groups.quantile(0.25),
            "median": groups.quantile(0.5),
            "upper quartile": groups.quantile(0.75),
        }
    )
    return table[frequent(table["answers"])].reset_index()


def transitions(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 5b: how often an answer in one chunk (row) was followed by one in another (column)."""
    known = frame[frame["chunk"].notna() & frame["previous_chunk"].notna()]
    counts = pd.crosstab(known["previous_chunk"].astype(int), known["chunk"].astype(int))
    rows = [*range(NO_ANSWER + 1), START]
    table = counts.reindex(index=rows, columns=range(NO_ANSWER + 1), fill_value=0)
    table.index = pd.Index([*PLACES, "start"], name="answer before")
    table.columns = pd.Index(PLACES, name="answer")
    return table


def chunks_covered(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 5d: in how many of the twelve chunks the answers of a dialog begin."""
    counts = dialogs(frame)["chunks"].value_counts().sort_index()
    counts = counts.reindex(range(CHUNKS + 1), fill_value=0)
    table = pd.DataFrame({"chunks": counts.index, "dialogs": counts.to_numpy()})
    table["share %"] = 100 * table["dialogs"] / max(1, table["dialogs"].sum())
    return table


def shares_by_turn(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 6: the share of yes/no, unanswerable and several-answer questions at each turn.

    Where a dataset doesn't label yes/no questions, they are counted by their form.
    """
    labelled = (frame["affirmation"] != "").any()
    answered = frame["affirmation"].isin(["yes", "no"]) if labelled else frame["polar"]
    name = "yes/no %" if labelled else "yes/no by form %"
    parts = pd.DataFrame(
        {
            "turn": frame["turn"],
            name: 100.0 * answered,
            "unanswerable %": 100.0 * ~frame["answerable"].astype(bool),
            "several answers %": 100.0 * frame["disagree"],
        }
    )
    groups = parts.groupby("turn")
    table = groups.mean()
    table.insert(0, "questions", groups.size())
    shown = table[frequent(table["questions"])]
    return shown.dropna(axis="columns", how="all").reset_index()


def frequent(counts: pd.Series) -> pd.Series:
    """Which counts are large enough to show: 5, in a small corpus a tenth of the largest.

    >>> frequent(pd.Series([90, 5, 4])).tolist(), frequent(pd.Series([3, 1])).tolist()
    ([True, True, False], [True, True])
    """
    return counts >= min(LEAST, counts.max() / 10) if len(counts) else counts.astype(bool)
