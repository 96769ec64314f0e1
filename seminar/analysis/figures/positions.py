"""Charts of where answers lie and of what is asked at which turn (QuAC, figures 5 and 6)."""

from __future__ import annotations

import pandas as pd

from seminar.analysis import answer_positions
from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import (
    COLOURS,
    Tips,
    colour,
    drawing,
    heat_cells,
    marker,
    new_figure,
    whole_ticks,
)

NO_PLACES = "No answer has a place in a text, so nothing is known of where answers lie."


def position_chart(frame: pd.DataFrame) -> Chart:
    """Figure 5a: where the answers of each turn begin."""
    name, title = "answer-position", "Where answers begin, by turn (QuAC, figures 5a and 5c)"
    table = answer_positions.position_by_turn(frame)
    if table.empty:
        return missing_chart(name, title, NO_PLACES)
    tips = Tips(name)
    with drawing():
        figure = new_figure(8.5, 3.9)
        left, right = figure.subplots(1, 2, width_ratios=(1.6, 1))
        left.fill_between(
            table["turn"],
            table["lower quartile"],
            table["upper quartile"],
            color=COLOURS[0],
            alpha=0.2,
            linewidth=0,
            label="middle half",
        )
        left.plot(table["turn"], table["median"], color=COLOURS[0], label="median")
        for row in table.itertuples(index=False):
            (dot,) = left.plot([row[0]], [row[3]], "o", color=COLOURS[0], markersize=5)
            tips.add(dot, f"turn {row[0]}: median {row[3]:.2f} of {row[1]:,} answers")
        left.set(xlabel="turn", ylabel="place in the section", ylim=(0, 1), title="by turn")
        left.set_xticks(table["turn"])
        left.legend(loc="upper left")
        starts = frame["start"].dropna()
        counts, edges, drawn = right.hist(
            starts, bins=12, range=(0, 1), color=COLOURS[0], edgecolor="white"
        )
        for bar, number, edge in zip(drawn, counts, edges, strict=False):
            tips.add(bar, f"from {edge:.2f}: {int(number):,} answers")
        right.set(xlabel="place in the section", ylabel="answers", title="of all turns")
    return Chart(
        name, title, table, figure, "0 is the beginning of the section, 1 its end.", tips=tips.words
    )


def transition_chart(frame: pd.DataFrame) -> Chart:
    """Figure 5b: from the chunk of one answer to that of the next."""
    name, title = "answer-transitions", "From one answer to the next (QuAC, figure 5b)"
    table = answer_positions.transitions(frame)
    if not table.to_numpy().any():
        return missing_chart(name, title, NO_PLACES)
    shares = table.div(table.sum(axis=1).where(lambda n: n > 0), axis=0) * 100
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.6, 5.6)
        axes = figure.add_subplot()
        words = [
            [
                f"from {before} to {after}: {int(table.loc[before, after]):,} "
                f"({shares.loc[before, after]:.0f} %)"
                for after in table.columns
            ]
            for before in table.index
        ]
        values = shares.fillna(0).to_numpy().tolist()
        texts = [[f"{value:.0f}" if value >= 0.5 else "" for value in row] for row in values]
        heat_cells(
            axes,
            values,
            tips,
            rows=list(table.index),
            columns=list(table.columns),
            texts=texts,
            words=words,
            top=max(map(max, values[:-1])) or None,
        )
        axes.set(xlabel="chunk of the answer", ylabel="chunk of the answer before")
    note = "Percent of each row. A section is cut into 12 chunks; an answer lies where it begins."
    return Chart(name, title, table.reset_index(), figure, note, tips=tips.words)


def chunks_chart(frame: pd.DataFrame) -> Chart:
    """Figure 5d: how many chunks of the section a dialog covers."""
    name, title = "chunks-covered", "Chunks that a dialog covers (QuAC, figure 5d)"
    if not frame["start"].notna().any():
        return missing_chart(name, title, NO_PLACES)
    table = answer_positions.chunks_covered(frame)
    tips = Tips(name)
    with drawing():
        figure = new_figure(6.5, 3.6)
        axes = figure.add_subplot()
        drawn = axes.bar(table["chunks"], table["share %"], color=COLOURS[0], width=0.8)
        for bar, row in zip(drawn, table.itertuples(index=False), strict=True):
            tips.add(bar, f"{row[0]} chunks: {row[1]:,} dialogs ({row[2]:.1f} %)")
        axes.set(xlabel="chunks in which answers begin", ylabel="dialogs (%)")
        axes.set_xticks(table["chunks"])
    return Chart(name, title, table, figure, tips=tips.words)


def shares_chart(frame: pd.DataFrame) -> Chart:
    """Figure 6: yes/no, unanswerable and several-answer questions by turn."""
    name, title = "shares-by-turn", "What is asked at which turn (QuAC, figure 6)"
    if frame.empty:
        return missing_chart(name, title, "There are no questions.")
    table = answer_positions.shares_by_turn(frame)
    if len(table) < 2:
        return missing_chart(
            name,
            title,
            "The dialogs have one turn, or too few reach the second: nothing changes by turn.",
        )
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 4.0)
        axes = figure.add_subplot()
        for place, column in enumerate(table.columns[2:]):
            axes.plot(table["turn"], table[column], color=colour(place), linewidth=1.6)
            for at, (turn, value) in enumerate(zip(table["turn"], table[column], strict=True)):
                (dot,) = axes.plot(
                    [turn],
                    [value],
                    marker(place),
                    color=colour(place),
                    label=column.removesuffix(" %") if at == 0 else None,
                )
                tips.add(dot, f"turn {turn}: {column.removesuffix(' %')} {value:.1f} %")
        axes.set(xlabel="turn", ylabel="questions (%)")
        axes.set_xlim(float(table["turn"].min()) - 0.4, float(table["turn"].max()) + 0.4)
        axes.set_ylim(bottom=0)
        whole_ticks(axes.xaxis)
        axes.grid(axis="y")
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3)
    return Chart(name, title, table, figure, tips=tips.words)
