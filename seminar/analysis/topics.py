"""How topics change in conversations (TopiOCQA, figures 2 to 4)."""

from __future__ import annotations

import pandas as pd

from seminar.analysis.frames import dialogs

FLOW_TURNS = 15
FLOW_TOPICS = 8  # the last one stands for this and all later topics


def topics_by_length(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 2a: the share of dialogs of each length (column) with that many topics (row)."""
    table = dialogs(frame)
    table = table[table["topics"] > 0]
    return 100 * pd.crosstab(table["topics"], table["turns"], normalize="columns")


def runs(frame: pd.DataFrame) -> pd.DataFrame:
    """Runs of turns of one topic: dialog, topic, length; turns without a topic are passed over."""
    named = frame.loc[frame["topic"] != "", ["dialogue", "topic"]]
    dialogue_changes = named["dialogue"] != named["dialogue"].shift()
    number = (dialogue_changes | (named["topic"] != named["topic"].shift())).cumsum()
    groups = named.groupby(number)
    return pd.DataFrame(
        {
            "dialogue": groups["dialogue"].first(),
            "topic": groups["topic"].first(),
            "length": groups.size(),
        }
    ).reset_index(drop=True)


def run_lengths(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 2b: how many turns belong to runs of each length."""
    lengths = runs(frame)["length"].value_counts().sort_index()
    table = pd.DataFrame({"length": lengths.index, "runs": lengths.to_numpy()})
    table["turns"] = table["length"] * table["runs"]
    table["share of turns %"] = 100 * table["turns"] / max(1, table["turns"].sum())
    return table


def flow(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 3: from which topic to which the dialogs go at each turn.

    Topics are numbered by their first occurrence in the dialog. A turn without a topic keeps the
    one before; turns before the first topic are left out.
    """
    table = frame[["dialogue", "topic"]].copy()
    table["turn"] = table.groupby("dialogue", sort=False).cumcount() + 1
    table["topic"] = table["topic"].where(table["topic"] != "")
    table["topic"] = table.groupby("dialogue", sort=False)["topic"].ffill()
    table = table[table["topic"].notna()]
    new = ~table.duplicated(["dialogue", "topic"])
    numbers = new.groupby(table["dialogue"], sort=False).cumsum()
    first = numbers.groupby([table["dialogue"], table["topic"]], sort=False).transform("first")
    table["number"] = first.clip(upper=FLOW_TOPICS)
    table["before"] = table.groupby("dialogue", sort=False)["number"].shift()
    table = table[table["turn"] <= FLOW_TURNS].dropna(subset="before")
    counts = table.groupby(["turn", "before", "number"]).size().reset_index(name="dialogs")
    counts = counts.rename(columns={"before": "from topic", "number": "to topic"})
    return counts.astype(int)


def kinds_by_switch(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 4: the share of kinds of questions (column) among kinds of turns (row)."""
    known = frame[frame["switch"] != ""]
    if known.empty:
        return pd.DataFrame()
    switch, kind = known["switch"].astype(str), known["kind"].astype(str)
    table = 100 * pd.crosstab(switch, kind, normalize="index")
    order = [row for row in ("no-switch", "switch-to-new", "switch-to-old") if row in table.index]
    columns = [one for one in ("ask-generic", "ask-specific", "ask-further") if one in table]
    return table.loc[order, columns]
