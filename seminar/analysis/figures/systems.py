"""Charts of systems beside each other: by turn, distance and length, cost, data, answer sets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from seminar.analysis import outcomes as measured
from seminar.analysis.answer_positions import frequent
from seminar.analysis.exhibits import Chart, missing_chart
from seminar.analysis.figures.style import (
    GRID,
    QUIET,
    Tips,
    colour,
    drawing,
    marker,
    new_figure,
    short,
)

CURVES = {
    "turn": ("Score by turn (QuAC, figure 7a)", "turn"),
    "distance": (
        "Score by distance from the answer before (QuAC, figure 7b)",
        "chunks of distance",
    ),
    "length": ("Score by length of the answer (QuAC, figure 7c)", "words of the answer"),
}
LACKS = {
    "turn": "All questions were asked at the same turn.",
    "distance": "No two answers in succession have a place in a text.",
    "length": "The answers have one length, or none.",
}


def curve(outcomes: pd.DataFrame, column: str) -> Chart:
    """QuAC, figure 7: the scores of systems by turn, distance or length, with intervals."""
    name = f"score-by-{column}"
    title, label = CURVES[column]
    table = measured.by_group(outcomes, column)
    table = table[frequent(table["questions"])].reset_index(drop=True)
    if table[column].nunique() < 2:
        return missing_chart(name, title, LACKS[column])
    groups = list(dict.fromkeys(sorted(table[column])))
    if column == "length":
        groups = [one for one in outcomes["length"].cat.categories if one in set(table[column])]
    places = {group: at for at, group in enumerate(groups)}
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.5, 4.3)
        axes = figure.add_subplot()
        systems = list(dict.fromkeys(outcomes["system"]))
        for number, system in enumerate(systems):
            part = table[table["system"] == system].copy()
            shift = 0.09 * (number - (len(systems) - 1) / 2)
            part["x"] = [places[group] + shift for group in part[column]]
            _points(axes, tips, part.sort_values("x"), number, f"{label} ", column)
        axes.set_xticks(range(len(groups)), [_whole(group) for group in groups])
        axes.set(xlabel=label, ylabel="score (%)")
        axes.grid(axis="y")
        _legend(axes, len(systems))
    note = "Bars are 95 % intervals with dialogs as units; points of few questions are left out."
    return Chart(name, title, table, figure, note, tips=tips.words)


def _whole(group: object) -> str:
    return str(int(group)) if isinstance(group, float) else str(group)


def _points(
    axes: Any,  # noqa: ANN401
    tips: Tips,
    part: pd.DataFrame,
    number: int,
    label: str,
    column: str,
) -> None:
    shade, sign = colour(number), marker(number)
    axes.plot(part["x"], part["score"], color=shade, linewidth=1.4)
    axes.vlines(part["x"], part["low"], part["high"], color=shade, linewidth=1.2, alpha=0.8)
    for at, row in enumerate(part.to_dict("records")):
        system = short(str(row["system"]))
        (dot,) = axes.plot(
            [row["x"]],
            [row["score"]],
            sign,
            color=shade,
            markersize=6,
            label=system if at == 0 else None,
        )
        tips.add(
            dot,
            f"{system}, {label}{_whole(row[column])}: {row['score']:.1f}{_bounds(row)}, "
            f"{row['questions']:,} questions",
        )


def _bounds(row: Mapping[Hashable, Any]) -> str:
    """The interval in brackets; one dialog has none."""
    return f" [{row['low']:.1f}, {row['high']:.1f}]" if row["low"] == row["low"] else ""


def _legend(axes: Any, systems: int) -> None:  # noqa: ANN401
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(4, max(1, systems)))


def latency_chart(outcomes: pd.DataFrame) -> Chart:
    """AmbigPrompt, figure 4a: time against score, the area of a point by its memory."""
    name, title = "latency-score", "Time against score (AmbigPrompt, figure 4a)"
    table = measured.summary(outcomes)
    table = table[table["ms / question"] > 0].reset_index(drop=True)
    if table.empty:
        return missing_chart(name, title, "No file of predictions says how long they took.")
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.2, 4.6)
        axes = figure.add_subplot()
        most = table["peak MB"].max()
        for number, row in enumerate(table.to_dict("records")):
            size = 60 + 340 * row["peak MB"] / most if row["peak MB"] == row["peak MB"] else 60
            dots = axes.scatter(
                [row["ms / question"]],
                [row["score"]],
                s=size,
                color=colour(number),
                alpha=0.85,
                marker=marker(number),
                edgecolor="white",
                label=short(str(row["system"])),
            )
            tips.add(
                dots,
                f"{row['system']}: {row['ms / question']:.1f} ms, "
                f"score {row['score']:.1f}, {row['peak MB']:.0f} MB",
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
        axes.set(xlabel="milliseconds a question (log scale)", ylabel="score (%)")
        axes.grid(color=GRID)
        axes.margins(0.15)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), markerscale=0.7)
    note = "The area of a point grows with the peak of memory."
    return Chart(name, title, table, figure, note, tips=tips.words)


def data_size_chart(outcomes: pd.DataFrame) -> Chart:
    """AmbigPrompt, figure 4b: the score by the share of training data.

    A system named NAME@PERCENT is NAME trained on that share, as in fid@10.
    """
    name, title = "data-size", "Score by size of the training data (AmbigPrompt, figure 4b)"
    table = measured.summary(outcomes) if len(outcomes) else pd.DataFrame(columns=["system"])
    parts = table["system"].astype(str).str.extract(r"^(?P<network>.+)@(?P<percent>\d+(?:\.\d+)?)$")
    table = table.assign(network=parts["network"], percent=parts["percent"].astype(float))
    table = table[table["percent"].notna()].sort_values(["network", "percent"])
    if table["percent"].nunique() < 2:
        return missing_chart(
            name,
            title,
            "Name predictions of networks trained on a part of the data "
            "NAME@PERCENT, as in fid@10 and fid@100, and they are drawn here.",
        )
    tips = Tips(name)
    with drawing():
        figure = new_figure(7.0, 4.0)
        axes = figure.add_subplot()
        networks = list(dict.fromkeys(table["network"]))
        for number, network in enumerate(networks):
            part = table[table["network"] == network].rename(columns={"percent": "x"})
            part = part.assign(percent=part["x"], system=network)
            _points(axes, tips, part, number, "% of the data ", "percent")
        axes.set(xlabel="share of the training data (%)", ylabel="score (%)")
        axes.grid(axis="y")
        _legend(axes, len(networks))
    return Chart(name, title, table.drop(columns="system"), figure, tips=tips.words)


def answer_sets_chart(table: pd.DataFrame) -> Chart:
    """AmbigPrompt, figure 5: F1, precision, recall, and how many answers systems give."""
    name = "answer-sets"
    title = "F1, precision, recall and number of answers (AmbigPrompt, figure 5)"
    if table.empty:
        return missing_chart(name, title, "No system gives sets of answers to ambiguous questions.")
    tips = Tips(name)
    with drawing():
        figure = new_figure(8.2, 3.9)
        left, right = figure.subplots(1, 2, width_ratios=(3, 1.1))
        wide = 0.8 / len(table)
        for number, row in enumerate(table.to_dict("records")):
            at = [place - 0.4 + wide * (number + 0.5) for place in range(3)]
            values = [row["F1"], row["precision"], row["recall"]]
            drawn = left.bar(
                at,
                values,
                width=wide,
                color=colour(number),
                edgecolor="white",
                label=short(str(row["system"])),
            )
            for bar, measure, value in zip(
                drawn, ("F1", "precision", "recall"), values, strict=True
            ):
                tips.add(bar, f"{row['system']}: {measure} {value:.1f}")
            (one,) = right.bar([number], [row["answers"]], width=0.8, color=colour(number))
            tips.add(one, f"{row['system']}: {row['answers']:.2f} answers a question")
            right.text(
                number,
                row["answers"],
                f"{row['answers']:.1f}",
                ha="center",
                va="bottom",
                fontsize=8.5,
                color=QUIET,
            )
        left.set_xticks(range(3), ["F1", "precision", "recall"])
        left.set(ylabel="%")
        left.grid(axis="y")
        right.set_xticks([])
        right.set(title="answers a question")
        _legend(left, len(table))
    return Chart(name, title, table, figure, tips=tips.words)
