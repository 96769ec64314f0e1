"""Charts of a user's own conversations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from seminar.analysis import chats
from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import COLOURS, Tips, drawing, new_figure, short, whole_ticks

BINS = 30


def asked_chart(frame: pd.DataFrame) -> Chart:
    """What was asked: types of questions, answered and not."""
    name, title = "asked-types", "What was asked, and what was answered"
    table = chats.asked_types(frame)
    if table.empty:
        return missing_chart(name, title, "Nothing was asked about the files yet.")
    shown = table.head(14)
    answered = shown["questions"] * shown["answered %"] / 100
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 1.3 + 0.34 * len(shown))
        axes = figure.add_subplot()
        first = axes.barh(
            range(len(shown)), answered, color=COLOURS[0], height=0.72, label="answered"
        )
        second = axes.barh(
            range(len(shown)),
            shown["questions"] - answered,
            left=answered,
            color=COLOURS[1],
            height=0.72,
            label="not answered",
        )
        for bars, word in ((first, "answered"), (second, "not answered")):
            for bar, kind in zip(bars, shown["type"], strict=True):
                tips.add(bar, f"{kind}: {round(bar.get_width()):,} {word}")
        axes.set_yticks(range(len(shown)), shown["type"])
        axes.set(xlabel="questions", ylim=(len(shown) - 0.5, -0.5))
        whole_ticks(axes.xaxis)
        axes.tick_params(axis="y", length=0)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return Chart(name, title, table, figure, tips=tips.words)


def sources_chart(frame: pd.DataFrame) -> Chart:
    """The sources that answers quote most."""
    name, title = "quoted-sources", "Sources that answers quote"
    table = chats.by_source(frame)
    if table.empty:
        return missing_chart(name, title, "No answer quotes a source.")
    shown = table.head(15)
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 0.9 + 0.34 * len(shown))
        axes = figure.add_subplot()
        drawn = axes.barh(range(len(shown)), shown["answers"], color=COLOURS[0], height=0.72)
        for bar, source, number in zip(drawn, shown["source"], shown["answers"], strict=True):
            tips.add(bar, f"{source}: {number:,} answers")
        axes.set_yticks(range(len(shown)), [short(str(source), 44) for source in shown["source"]])
        axes.set(xlabel="answers", ylim=(len(shown) - 0.5, -0.5))
        whole_ticks(axes.xaxis)
        axes.tick_params(axis="y", length=0)
    return Chart(name, title, table, figure, tips=tips.words)


def latency_chart(frame: pd.DataFrame) -> Chart:
    """How long replies took."""
    name, title = "reply-times", "How long replies took"
    seconds = frame["seconds"].dropna()
    if seconds.empty:
        return missing_chart(name, title, "No saved turn says how long its reply took.")
    limit = float(seconds.quantile(0.99)) or 1.0
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.0, 3.6)
        axes = figure.add_subplot()
        counts, edges = np.histogram(seconds.clip(upper=limit), bins=BINS, range=(0, limit))
        bars = axes.bar(
            edges[:-1], counts, width=limit / BINS, align="edge", color=COLOURS[0],
            edgecolor="white",
        )  # fmt: skip
        for bar, number, edge in zip(bars, counts, edges, strict=False):
            tips.add(bar, f"from {edge:.2f} s: {int(number):,} replies")
        median = float(seconds.median())
        axes.axvline(median, color=COLOURS[1], linestyle="--", linewidth=1.4)
        axes.set(
            xlabel="seconds",
            ylabel="replies",
            title=f"median {median:.2f} s (dashed), 95 % within {seconds.quantile(0.95):.2f} s",
        )
        whole_ticks(axes.yaxis)
    note = "The last bar also has the slowest 1 %."
    return Chart(name, title, chats.latency(frame), figure, note, tips=tips.words)
