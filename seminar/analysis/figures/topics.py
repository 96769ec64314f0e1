"""Charts of how topics change in conversations (TopiOCQA, figures 2 to 4)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from seminar.analysis import topics
from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import (
    COLOURS,
    QUIET,
    Tips,
    colour,
    drawing,
    heat_cells,
    ink_on,
    new_figure,
    whole_ticks,
)

NO_TOPICS = "No turn has a topic, so nothing is known of how topics change."
GAP = 0.02  # between the boxes of a Sankey's turn, as a share of its height
WIDTH = 0.16  # of a box


def topics_by_length_chart(frame: pd.DataFrame) -> Chart:
    """Figure 2a: the number of topics by length of the dialog."""
    name, title = "topics-by-length", "Topics by length of the conversation (TopiOCQA, figure 2a)"
    table = topics.topics_by_length(frame)
    if table.empty:
        return missing_chart(name, title, NO_TOPICS)
    rows = range(int(table.index.max()), 0, -1)
    columns = range(int(table.columns.min()), int(table.columns.max()) + 1)
    shown = table.reindex(index=rows, columns=columns, fill_value=0)
    tips = Tips(name)
    with drawing():
        figure = new_figure(max(5.0, 0.36 * shown.shape[1] + 1.2), 0.34 * len(shown) + 1.3)
        axes = figure.add_subplot()
        values = shown.to_numpy().tolist()
        words = [
            [
                f"{length} turns, {count} topics: {value:.1f} %"
                for length, value in zip(shown.columns, row, strict=True)
            ]
            for count, row in zip(shown.index, values, strict=True)
        ]
        texts = [[f"{value:.0f}" if value >= 0.5 else "" for value in row] for row in values]
        heat_cells(
            axes,
            values,
            tips,
            rows=list(map(str, shown.index)),
            columns=list(map(str, shown.columns)),
            texts=texts,
            words=words,
            top=60.0,
        )
        axes.set(xlabel="turns of the conversation", ylabel="topics")
    note = "Percent of the conversations of each length; from 60 % on the colour is the same."
    return Chart(name, title, table.reset_index(), figure, note, tips=tips.words)


def run_lengths_chart(frame: pd.DataFrame) -> Chart:
    """Figure 2b: how many turns belong to runs of each length."""
    name, title = "topic-run-lengths", "Turns in runs of one topic (TopiOCQA, figure 2b)"
    table = topics.run_lengths(frame)
    if table.empty:
        return missing_chart(name, title, NO_TOPICS)
    tips = Tips(name)
    with drawing():
        figure = new_figure(6.8, 3.6)
        axes = figure.add_subplot()
        drawn = axes.bar(table["length"], table["share of turns %"], color=COLOURS[0], width=0.8)
        for bar, row in zip(drawn, table.itertuples(index=False), strict=True):
            tips.add(bar, f"runs of {row[0]}: {row[1]:,}, with {row[3]:.1f} % of the turns")
        axes.set(xlabel="length of the run (turns)", ylabel="turns (%)")
        whole_ticks(axes.xaxis)
    return Chart(name, title, table, figure, tips=tips.words)


def flow_chart(frame: pd.DataFrame) -> Chart:
    """Figure 3: the flow of topics over 15 turns, as a Sankey diagram."""
    name, title = "topic-flow", "Flow of topics over the first 15 turns (TopiOCQA, figure 3)"
    table = topics.flow(frame)
    if table.empty:
        lacks = (
            "No dialog has two turns with topics." if (frame["topic"] != "").any() else NO_TOPICS
        )
        return missing_chart(name, title, lacks)
    tips = Tips(name)
    with drawing():
        figure = new_figure(10.5, 5.4)
        axes = figure.add_subplot()
        _draw_flow(axes, tips, table)
        axes.set(xlabel="turn", ylim=(1.02, -0.02))
        last = int(table["turn"].max())
        axes.set_xlim(0.7, last + 0.3)
        axes.set_xticks(range(1, last + 1))
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set_visible(False)
    note = (
        "Topics are numbered by their first occurrence in a conversation; the last number also "
        "stands for later ones. Conversations that have ended are no longer drawn."
    )
    return Chart(name, title, table, figure, note, tips=tips.words)


def _draw_flow(axes: Any, tips: Tips, table: pd.DataFrame) -> None:  # noqa: ANN401
    from matplotlib.patches import Rectangle

    first = int(table["turn"].min()) - 1
    sizes: dict[tuple[int, int], int] = {}  # turn and topic: dialogs
    for turn, before, after, number in table.itertuples(index=False):
        sizes[turn, after] = sizes.get((turn, after), 0) + number
        if turn == first + 1:
            sizes[first, before] = sizes.get((first, before), 0) + number
    most = max(sum(n for (turn, _), n in sizes.items() if turn == at) for at, _ in sizes)
    scale = (1 - GAP * topics.FLOW_TOPICS) / most
    tops: dict[tuple[int, int], float] = {}
    for turn in sorted({at for at, _ in sizes}):
        at = 0.0
        for topic in sorted(one for when, one in sizes if when == turn):
            tops[turn, topic] = at
            at += sizes[turn, topic] * scale + GAP
    _draw_bands(axes, tips, table, tops, scale)
    for (turn, topic), number in sizes.items():
        box = Rectangle(
            (turn - WIDTH / 2, tops[turn, topic]),
            WIDTH,
            number * scale,
            facecolor=colour(topic - 1),
            edgecolor="white",
            linewidth=0.5,
        )
        axes.add_patch(box)
        last = topic == topics.FLOW_TOPICS
        label = f"{topic}+" if last else str(topic)
        tips.add(box, f"turn {turn}: {number:,} conversations at topic {label}")
        if number * scale > 0.028:
            axes.text(
                turn,
                tops[turn, topic] + number * scale / 2,
                label,
                ha="center",
                va="center",
                fontsize=7,
                color=ink_on(_rgb(colour(topic - 1))),
            )


def _rgb(shade: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(shade)
    return red, green, blue


def _draw_bands(
    axes: Any,  # noqa: ANN401
    tips: Tips,
    table: pd.DataFrame,
    tops: dict[tuple[int, int], float],
    scale: float,
) -> None:
    """The bands between the boxes of one turn and the next."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Line

    left, right = dict(tops), dict(tops)  # where the next band begins at each box
    for turn, before, after, number in table.itertuples(index=False):
        start, end = left.get((turn - 1, before)), right[turn, after]
        if start is None:
            continue
        height = number * scale
        left[turn - 1, before] = start + height
        right[turn, after] = end + height
        x, to = turn - 1 + WIDTH / 2, turn - WIDTH / 2
        middle = (x + to) / 2
        line = Line(
            [(x, start), (middle, start), (middle, end), (to, end), (to, end + height),
             (middle, end + height), (middle, start + height), (x, start + height), (x, start)],
            [Line.MOVETO, Line.CURVE4, Line.CURVE4, Line.CURVE4, Line.LINETO, Line.CURVE4,
             Line.CURVE4, Line.CURVE4, Line.CLOSEPOLY],
        )  # fmt: skip
        shade = colour(after - 1) if before != after else QUIET
        band = PathPatch(line, facecolor=shade, alpha=0.5 if before != after else 0.22, linewidth=0)
        axes.add_patch(band)
        tips.add(band, f"turn {turn - 1} to {turn}: {number:,} go from topic {before} to {after}")


def kinds_chart(frame: pd.DataFrame) -> Chart:
    """Figure 4: kinds of questions among kinds of turns."""
    name = "turn-and-question-kinds"
    title = "Kinds of questions by kind of turn (TopiOCQA, figure 4)"
    table = topics.kinds_by_switch(frame)
    if table.empty:
        return missing_chart(name, title, NO_TOPICS)
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 1.2 + 0.62 * len(table))
        axes = figure.add_subplot()
        left = pd.Series(0.0, index=table.index)
        for place, kind in enumerate(table.columns):
            drawn = axes.barh(
                range(len(table)),
                table[kind],
                left=left,
                color=colour(place),
                height=0.7,
                label=kind,
                edgecolor="white",
            )
            for bar, switch, value in zip(drawn, table.index, table[kind], strict=True):
                tips.add(bar, f"{switch}: {kind} {value:.1f} %")
                if value >= 6:
                    axes.text(
                        bar.get_x() + value / 2,
                        bar.get_y() + 0.35,
                        f"{value:.0f}",
                        ha="center",
                        va="center",
                        color=ink_on(_rgb(colour(place))),
                    )
            left = left + table[kind]
        axes.set_yticks(range(len(table)), table.index)
        axes.set(xlabel="questions (%)", xlim=(0, 100), ylim=(len(table) - 0.5, -0.5))
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
        axes.tick_params(axis="y", length=0)
    note = "The kinds of questions are given by rules; the paper's were given by hand to 150 turns."
    return Chart(name, title, table.reset_index(), figure, note, tips=tips.words)
